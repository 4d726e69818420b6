//! Zip files that stand for the ROM inside.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use gym2600_arcade::{Arcade, ArchiveError, GameFacts, LoadError, Settings, WALLOP, rom_of};

const STORED: u16 = 0;
const DEFLATE: u16 = 8;
const ENCRYPTED: u16 = 1;

/// A file of an archive.
struct Entry<'a> {
    name: &'a str,
    bytes: &'a [u8],
    method: u16,
    flags: u16,
    /// The size that the archive says.
    size: usize,
}

impl<'a> Entry<'a> {
    fn new(name: &'a str, bytes: &'a [u8]) -> Self {
        Self {
            name,
            bytes,
            method: DEFLATE,
            flags: 0,
            size: bytes.len(),
        }
    }
}

/// A zip file, written by the format's public description.
fn zip(entries: &[Entry<'_>]) -> Vec<u8> {
    let (mut file, mut directory) = (Vec::new(), Vec::new());
    for entry in entries {
        let packed = match entry.method {
            STORED => entry.bytes.to_vec(),
            _ => miniz_oxide::deflate::compress_to_vec(entry.bytes, 6),
        };
        let mut common = Vec::new();
        for field in [20, entry.flags, entry.method, 0, 0] {
            common.extend_from_slice(&u16::to_le_bytes(field));
        }
        let sizes = [packed.len(), entry.size].map(|size| size as u32);
        for field in [crc32fast::hash(entry.bytes), sizes[0], sizes[1]] {
            common.extend_from_slice(&field.to_le_bytes());
        }
        common.extend_from_slice(&(entry.name.len() as u32).to_le_bytes());
        directory.extend_from_slice(b"PK\x01\x02\x14\0");
        directory.extend_from_slice(&common);
        directory.extend_from_slice(&[0; 10]);
        directory.extend_from_slice(&(file.len() as u32).to_le_bytes());
        directory.extend_from_slice(entry.name.as_bytes());
        file.extend_from_slice(b"PK\x03\x04");
        file.extend_from_slice(&common);
        file.extend_from_slice(entry.name.as_bytes());
        file.extend_from_slice(&packed);
    }
    let count = (entries.len() as u16).to_le_bytes();
    let places = [directory.len(), file.len()].map(|size| (size as u32).to_le_bytes());
    file.extend_from_slice(&directory);
    file.extend_from_slice(b"PK\x05\x06\0\0\0\0");
    file.extend_from_slice(&[count, count].concat());
    file.extend_from_slice(&places.concat());
    file.extend_from_slice(&[0, 0]);
    file
}

fn refusal(file: &[u8]) -> ArchiveError {
    rom_of(file).unwrap_err()
}

#[test]
fn the_one_rom_of_a_zip_file_is_played_in_its_place() {
    let text = Entry::new("WALLOP/read me.txt", b"a game");
    let resources = Entry::new("__MACOSX/WALLOP/._Wallop.A26", b"resources");
    let stored = Entry {
        method: STORED,
        ..Entry::new("WALLOP/Wallop.A26", WALLOP)
    };
    for rom in [stored, Entry::new("wallop.bin", WALLOP)] {
        let file = zip(&[
            Entry::new(text.name, text.bytes),
            rom,
            Entry::new(resources.name, resources.bytes),
        ]);
        assert_eq!(*rom_of(&file).unwrap(), *WALLOP);
        let settings = Settings::default();
        assert_eq!(Arcade::load(&file, &settings).unwrap().game().rom, "wallop");
        assert_eq!(
            GameFacts::of(&file, &settings).unwrap().md5,
            GameFacts::of(WALLOP, &settings).unwrap().md5
        );
    }
    assert_eq!(*rom_of(WALLOP).unwrap(), *WALLOP);
}

#[test]
fn an_archive_without_one_rom_is_refused_with_what_it_has() {
    assert_eq!(refusal(&zip(&[])), ArchiveError::NoRom { files: 0 });
    let texts = [Entry::new("a.txt", b"a"), Entry::new("b.txt", b"b")];
    assert_eq!(refusal(&zip(&texts)), ArchiveError::NoRom { files: 2 });
    let [first, second] = ["one.bin", "two.rom"].map(str::to_owned);
    let roms = [Entry::new(&first, WALLOP), Entry::new(&second, WALLOP)];
    let file = zip(&roms);
    assert_eq!(refusal(&file), ArchiveError::SeveralRoms { first, second });
    let refused = Arcade::load(&file, &Settings::default()).unwrap_err();
    assert!(matches!(refused, LoadError::Archive(_)), "{refused}");
}

#[test]
fn what_cannot_be_decompressed_is_refused_by_its_name() {
    let name = "wallop.bin".to_owned();
    let of = |flags, method| {
        zip(&[Entry {
            method,
            flags,
            ..Entry::new(&name, WALLOP)
        }])
    };
    let encrypted = ArchiveError::Encrypted { name: name.clone() };
    assert_eq!(refusal(&of(ENCRYPTED, DEFLATE)), encrypted);
    let other = ArchiveError::Method {
        name: name.clone(),
        method: 14,
    };
    assert_eq!(refusal(&of(0, 14)), other);
}

#[test]
fn a_zip_bomb_is_refused_before_it_is_decompressed() {
    let zeros = vec![0; 64 << 20];
    let name = "bomb.bin".to_owned();
    let size = zeros.len() as u64;
    let honest = zip(&[Entry::new(&name, &zeros)]);
    assert_eq!(
        refusal(&honest),
        ArchiveError::Size {
            name: name.clone(),
            size
        }
    );
    let lying = zip(&[Entry {
        size: 4096,
        ..Entry::new(&name, &zeros)
    }]);
    let reason = refusal(&lying).to_string();
    assert!(reason.starts_with("the zip file is damaged: \"bomb.bin\""), "{reason}");
}

#[test]
fn a_damaged_zip_file_never_gives_another_rom() {
    let file = zip(&[Entry::new("wallop.bin", WALLOP)]);
    for at in 0..file.len() {
        for bit in [0, 3, 7] {
            let mut damaged = file.clone();
            damaged[at] ^= 1 << bit;
            // Without its first bytes it is no zip file.
            if let Ok(rom) = rom_of(&damaged) {
                assert!(*rom == *WALLOP || *rom == *damaged, "byte {at}");
            }
        }
        let _ = rom_of(&file[..at]);
    }
}

#[test]
fn a_rom_may_have_the_most_bytes_and_no_more() {
    let most = vec![7; 1 << 20];
    assert_eq!(*rom_of(&zip(&[Entry::new("most.bin", &most)])).unwrap(), *most);
    let more = vec![7; (1 << 20) + 1];
    assert!(matches!(
        refusal(&zip(&[Entry::new("more.bin", &more)])),
        ArchiveError::Size { size: 1_048_577, .. }
    ));
}
