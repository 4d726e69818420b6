use super::*;
use crate::rules::{ReadRam, Rules, Sources};

struct Ram([u8; 128]);

impl ReadRam for Ram {
    fn ram(&self, address: u8) -> u8 {
        self.0[usize::from(address & 0x7F)]
    }

    fn cart_ram(&self, _index: u8) -> u8 {
        0
    }
}

/// Bytes of RAM by their addresses.
type Bytes = &'static [(u8, u8)];

/// What the rules of a definition read by an expression.
fn read(expression: &str, ram: &[u8; 128]) -> i64 {
    let frame = format!("value = {expression}");
    let sources = Sources {
        frame: &frame,
        reward: Some("value"),
        ..Sources::default()
    };
    let (rules, _) = Rules::compile(&sources).unwrap_or_else(|error| panic!("{expression}: {error}"));
    let mut variables = rules.initial();
    rules.update(&mut variables, &Ram(*ram));
    rules.reward(&variables).into()
}

fn number(value: i64) -> Seen {
    let digits = value.to_string().len() as u8;
    Seen::Number { value, digits }
}

/// RAM with some bytes that are not 0.
fn ram(bytes: &[(u8, u8)]) -> [u8; 128] {
    let mut ram = [0; 128];
    for &(address, byte) in bytes {
        ram[usize::from(address - 0x80)] = byte;
    }
    ram
}

fn first(search: &RamSearch) -> String {
    search.candidates().first().map(ToString::to_string).unwrap_or_default()
}

#[test]
fn a_reading_and_its_expression_have_the_same_value() {
    // Bytes that are digits, pairs of digits, and times eight.
    let bytes = [0x08, 0x10, 0x12, 0x00, 0x40, 0x09, 0x0A, 0x48, 0x50, 0x97, 0x0F];
    let ram: [u8; 128] = std::array::from_fn(|place| bytes[place * 7 % bytes.len()]);
    let mut compared = 0;
    for (index, reading) in Reading::all().into_iter().enumerate() {
        // A prime, so that all encodings, steps and factors have their turn.
        if index % 97 != 0 {
            continue;
        }
        // A reward has 32 bits.
        let Some(value) = reading.value(&ram).filter(|&value| value < i64::from(i32::MAX)) else {
            continue;
        };
        assert_eq!(read(&reading.to_string(), &ram), value, "{reading}");
        compared += 1;
    }
    assert!(compared > 300, "{compared}");
}

#[test]
fn each_form_of_a_score_is_found_by_two_numbers() {
    let digits = "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]";
    let forms: [(Bytes, Bytes, String); 9] = [
        (
            &[(0x85, 0x20), (0x84, 0x01)],
            &[(0x85, 0x40), (0x84, 0x23)],
            "bcd(0x85, 0x84, 0x83)".into(),
        ),
        (
            &[(0xA1, 0x20), (0xA2, 0x01)],
            &[(0xA1, 0x40), (0xA2, 0x23)],
            "bcd(0xA1, 0xA2, 0xA3)".into(),
        ),
        (
            &[(0xA1, 0x20), (0xA6, 0x01)],
            &[(0xA1, 0x40), (0xA6, 0x23)],
            "bcd(0xA1, 0xA6)".into(),
        ),
        (
            &[(0x95, 0x12), (0x96, 0x99)],
            &[(0x95, 0x34), (0x94, 0x02), (0x96, 0x99)],
            "bcd(0x95, 0x94) * 10".into(),
        ),
        (
            &[(0x90, 120)],
            &[(0x90, 0x24), (0x91, 0x09)],
            "ram[0x90] + 256 * ram[0x91]".into(),
        ),
        (
            &[(0x9C, 0), (0x9D, 2), (0x9E, 1), (0x9F, 10), (0xA0, 10), (0xA1, 10)],
            &[(0x9C, 0), (0x9D, 4), (0x9E, 3), (0x9F, 2), (0xA0, 10), (0xA1, 10)],
            format!("sum({digits}[ram[0x9C + i] & 15] * 10 ** i for i in range(0, 6))"),
        ),
        (
            &[(0xD7, 0), (0xD5, 16), (0xD3, 8), (0xD1, 88), (0xCF, 88), (0xCD, 88)],
            &[(0xD7, 0), (0xD5, 32), (0xD3, 24), (0xD1, 16), (0xCF, 88), (0xCD, 88)],
            format!("sum({digits}[ram[0xD7 - 2 * i] >> 3] * 10 ** i for i in range(0, 6))"),
        ),
        (
            &[(0x85, 0x01), (0x86, 0x99)],
            &[(0x85, 0x23), (0x86, 0x99)],
            "bcd(0x85, 0x84) * 100".into(),
        ),
        (
            &[(0x85, 0x20), (0x87, 0x01)],
            &[(0x85, 0x40), (0x87, 0x23)],
            "bcd(0x85, 0x87)".into(),
        ),
    ];
    for (before, after, expression) in forms {
        let mut search = RamSearch::new();
        let [one, two] = if expression.ends_with("100") {
            [100, 2300]
        } else {
            [120, 2340]
        };
        search.look(&ram(before), number(one)).unwrap();
        search.look(&ram(after), number(two)).unwrap();
        let shown: Vec<_> = search.candidates().iter().map(ToString::to_string).collect();
        assert_eq!(shown.first(), Some(&expression), "{shown:?}");
    }
}

#[test]
fn numbers_below_ten_are_a_plain_byte_and_halves_of_bytes_are_found() {
    let mut search = RamSearch::new();
    search.look(&ram(&[(0x82, 3), (0xBC, 0x35)]), number(3)).unwrap();
    let shown: Vec<_> = search.candidates().iter().map(ToString::to_string).collect();
    assert_eq!(shown, ["ram[0x82]", "ram[0xBC] >> 4"]);
    search.look(&ram(&[(0x82, 3), (0xBC, 0x29)]), Seen::Smaller).unwrap();
    assert_eq!(first(&search), "ram[0xBC] >> 4");
}

#[test]
fn comparisons_are_with_the_look_or_mark_before() {
    let mut search = RamSearch::new();
    assert_eq!(search.look(&[0; 128], Seen::Changed), Err(SearchError::NothingBefore));
    search.mark(&ram(&[(0x90, 5), (0x91, 5), (0x92, 5)]));
    search
        .look(&ram(&[(0x90, 6), (0x91, 4), (0x92, 5)]), Seen::Larger)
        .unwrap();
    assert_eq!(search.candidates()[0].to_string(), "ram[0x90]");
    assert!(search.undo());
    search
        .look(&ram(&[(0x90, 6), (0x91, 4), (0x92, 5)]), Seen::Smaller)
        .unwrap();
    assert_eq!(search.candidates()[0].to_string(), "ram[0x91]");
    search.look(&ram(&[(0x91, 9)]), Seen::Unchanged).unwrap();
    assert!(search.candidates().iter().all(|one| one.to_string() != "ram[0x91]"));
    assert!(search.undo() && search.undo() && search.undo());
    assert_eq!((search.undo(), search.looks()), (false, 0));
}

#[test]
fn a_state_is_a_byte_that_has_one_value_while_it_is_on() {
    let mut search = RamSearch::new();
    search
        .look(&ram(&[(0x90, 7), (0xC7, 1), (0xC8, 3)]), Seen::State(false))
        .unwrap();
    search
        .look(&ram(&[(0x90, 7), (0xC7, 2), (0xC8, 4)]), Seen::State(true))
        .unwrap();
    search
        .look(&ram(&[(0x90, 6), (0xC7, 0), (0xC8, 5)]), Seen::State(false))
        .unwrap();
    search
        .look(&ram(&[(0x90, 3), (0xC7, 2), (0xC8, 3)]), Seen::State(true))
        .unwrap();
    let [found] = search.candidates()[..] else {
        panic!("{:?}", search.candidates())
    };
    assert_eq!(found.to_string(), "ram[0xC7] == 2");
    assert_eq!(
        [ram(&[(0xC7, 2)]), ram(&[])].map(|ram| found.value(&ram)),
        [Some(1), Some(0)]
    );
    assert_eq!(read(&found.to_string(), &ram(&[(0xC7, 2)])), 1);
}

#[test]
fn leading_zeros_say_how_many_digits_there_are() {
    let mut search = RamSearch::new();
    search
        .look(
            &ram(&[(0x85, 0x20), (0x84, 0x01)]),
            Seen::Number { value: 120, digits: 4 },
        )
        .unwrap();
    assert_eq!(first(&search), "bcd(0x85, 0x84)");
}

#[test]
fn a_number_that_no_screen_shows_is_refused() {
    let mut search = RamSearch::new();
    for value in [-1, RamSearch::MAX_NUMBER + 1] {
        assert_eq!(search.look(&[0; 128], number(value)), Err(SearchError::Number(value)));
    }
    assert_eq!(search.looks(), 0);
}
