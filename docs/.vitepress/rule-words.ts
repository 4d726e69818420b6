/** Rules of definitions in words, for readers who do not know the notation of docs/games.md. */

/** How loosely the words of an expression hang together, from the tightest. A looser part of a tighter whole is bracketed. */
const [VALUE, PRODUCT, SUM, COMPARISON, AND, OR, CHOICE] = [0, 1, 2, 3, 4, 5, 6];

interface Phrase {
  readonly text: string;
  readonly level: number;
}

/** What variables stand for: the text of their expressions. Others keep their names. */
export type Variables = ReadonlyMap<string, string>;

/** Longer sentences are harder to read than the rule. */
const LONGEST = 170;

const COMPARISONS: Readonly<Record<string, string>> = {
  "==": "is",
  "!=": "is not",
  "<": "is below",
  "<=": "is at most",
  ">": "is above",
  ">=": "is at least",
};

/** Binary operators, from the loosest, as in Python. */
const ARITHMETIC = [["|"], ["^"], ["&"], ["<<", ">>"], ["+", "-"], ["*", "//", "%"]] as const;

/** Variables within variables. */
const MOST_LEVELS = 4;

const TOKEN = /\s*(0x[0-9A-Fa-f]+|\d+|[A-Za-z_]\w*|==|!=|<=|>=|<<|>>|\/\/|\*\*|[-+*%&|^<>()[\],~])/y;

/** The words of an expression; undefined where it has a loop, a list or a function of its own, or where they are many. */
export function wordsOf(expression: string, variables: Variables = new Map()): string | undefined {
  try {
    const { text } = new Reader(expression, variables, 0).read();
    return text.length > LONGEST ? undefined : text;
  } catch (error) {
    if (error instanceof Untold) return undefined;
    throw error;
  }
}

/** There are no words for this. */
class Untold extends Error {}

/** Reads an expression by recursive descent. */
class Reader {
  readonly #tokens: string[] = [];
  readonly #variables: Variables;
  readonly #level: number;
  #at = 0;

  constructor(expression: string, variables: Variables, level: number) {
    this.#variables = variables;
    this.#level = level;
    TOKEN.lastIndex = 0;
    let end = 0;
    for (let found = TOKEN.exec(expression); found !== null; found = TOKEN.exec(expression)) {
      this.#tokens.push(found[1] ?? "");
      end = TOKEN.lastIndex;
    }
    if (expression.slice(end).trim() !== "") throw new Untold(expression);
  }

  read(): Phrase {
    const phrase = this.#choice();
    if (this.#at < this.#tokens.length) throw new Untold(this.#tokens[this.#at]);
    return phrase;
  }

  #take(...tokens: readonly string[]): string | undefined {
    const token = this.#tokens[this.#at];
    if (token === undefined || !tokens.includes(token)) return undefined;
    this.#at += 1;
    return token;
  }

  #expect(token: string): void {
    if (this.#take(token) === undefined) throw new Untold(token);
  }

  #choice(): Phrase {
    const then = this.#either();
    if (this.#take("if") === undefined) return then;
    const condition = this.#either();
    this.#expect("else");
    const otherwise = this.#choice();
    const [first, when] = [bracketed(then, AND), bracketed(condition, OR)];
    return { text: `${first} if ${when}, otherwise ${otherwise.text}`, level: CHOICE };
  }

  #either(): Phrase {
    return this.#joined("or", () => this.#joined("and", () => this.#negation()));
  }

  /** Parts with a word between them. A looser part is bracketed. */
  #joined(word: "and" | "or", part: () => Phrase): Phrase {
    const first = part();
    const parts = [first];
    while (this.#take(word) !== undefined) parts.push(part());
    if (parts.length === 1) return first;
    const level = word === "or" ? OR : AND;
    return { text: parts.map((one) => bracketed(one, level)).join(` ${word} `), level };
  }

  #negation(): Phrase {
    if (this.#take("not") === undefined) return this.#comparison();
    return { text: `not ${bracketed(this.#negation(), VALUE)}`, level: COMPARISON };
  }

  #comparison(): Phrase {
    const left = this.#arithmetic(0);
    const operator = this.#take(...Object.keys(COMPARISONS));
    if (operator !== undefined) return compared(bracketed(left, SUM), operator, bracketed(this.#arithmetic(0), SUM));
    const negated = this.#take("not") !== undefined;
    if (this.#take("in") === undefined) {
      if (negated) throw new Untold("not");
      return left;
    }
    this.#expect("(");
    const values = this.#list(")").map(({ text }) => text);
    const all = values.join(negated ? " nor " : " or ");
    return { text: `${bracketed(left, SUM)} is ${negated ? "neither " : ""}${all}`, level: COMPARISON };
  }

  #arithmetic(level: number): Phrase {
    const operators = ARITHMETIC[level];
    if (operators === undefined) return this.#value();
    let left = this.#arithmetic(level + 1);
    for (let operator = this.#take(...operators); operator !== undefined; operator = this.#take(...operators)) {
      left = combined(left, operator, this.#arithmetic(level + 1));
    }
    return left;
  }

  #value(): Phrase {
    if (this.#take("(") !== undefined) {
      const inside = this.#choice();
      this.#expect(")");
      return inside;
    }
    if (this.#take("-") !== undefined) return { text: `-${bracketed(this.#value(), VALUE)}`, level: VALUE };
    const token = this.#tokens[this.#at++];
    if (token === undefined) throw new Untold("the end");
    if (/^\d/.test(token)) return { text: token, level: VALUE };
    if (token === "true" || token === "false") return { text: token, level: VALUE };
    if (token === "ram" || token === "cart_ram")
      return this.#byte(token === "ram" ? "byte" : "byte of the cartridge's RAM");
    if (this.#take("(") !== undefined) return this.#call(token);
    return this.#variable(token);
  }

  #byte(kind: string): Phrase {
    this.#expect("[");
    const [place] = this.#list("]");
    if (place === undefined || !/^0x/i.test(place.text)) throw new Untold("a computed place");
    return { text: `${kind} ${place.text}`, level: VALUE };
  }

  #call(name: string): Phrase {
    const given = this.#list(")").map(({ text }) => text);
    const [first = "", second = ""] = given;
    switch (name) {
      case "bcd":
      case "cart_bcd": {
        const bytes = given.length === 1 ? "byte" : "bytes";
        const of = name === "bcd" ? "" : " of the cartridge's RAM";
        return { text: `the decimal number in ${bytes} ${[...given].reverse().join(", ")}${of}`, level: VALUE };
      }
      case "signed":
        return { text: `${first} with its sign`, level: VALUE };
      case "abs":
        return { text: `${first} without its sign`, level: VALUE };
      case "max":
        return { text: `the greater of ${first} and ${second}`, level: VALUE };
      case "min":
        return { text: `the smaller of ${first} and ${second}`, level: VALUE };
      default:
        throw new Untold(name);
    }
  }

  #variable(name: string): Phrase {
    if (name === "lives") return { text: "the number of lives", level: VALUE };
    const meaning = this.#variables.get(name);
    if (meaning === undefined) return { text: `\`${name}\``, level: VALUE };
    if (this.#level === MOST_LEVELS) throw new Untold(name);
    return new Reader(meaning, this.#variables, this.#level + 1).read();
  }

  #list(end: string): Phrase[] {
    const values: Phrase[] = [];
    while (this.#take(end) === undefined) {
      values.push(this.#choice());
      if (this.#take(",") === undefined) {
        this.#expect(end);
        break;
      }
    }
    return values;
  }
}

/** The words within a whole that bears parts of this level. */
function bracketed({ text, level }: Phrase, most: number): string {
  return level > most ? `(${text})` : text;
}

/** A comparison. That of a single bit with 0 says whether it is set. */
function compared(left: string, operator: string, right: string): Phrase {
  const bit = /^bit \d of .*/.test(left);
  if (bit && right === "0") {
    if (operator === "!=") return { text: `${left} is set`, level: COMPARISON };
    if (operator === "==") return { text: `${left} is not set`, level: COMPARISON };
  }
  return { text: `${left} ${COMPARISONS[operator]} ${right}`, level: COMPARISON };
}

/** The parts of a byte that rules read, by operator and number. */
const PARTS: Readonly<Record<string, string>> = { "& 15": "the lower half of", ">> 4": "the upper half of" };

/** Words of operators, with the loosest parts that stand beside them without brackets, on the left and on the right. */
const OPERATORS: Readonly<Record<string, readonly [word: string, level: number, left: number, right: number]>> = {
  "+": ["plus", SUM, SUM, SUM],
  "-": ["minus", SUM, SUM, PRODUCT],
  "*": ["times", PRODUCT, PRODUCT, PRODUCT],
  "%": ["modulo", PRODUCT, PRODUCT, VALUE],
};

function combined(left: Phrase, operator: string, right: Phrase): Phrase {
  const number = Number(right.text);
  const of = bracketed(left, VALUE);
  const part = PARTS[`${operator} ${number}`];
  if (part !== undefined) return { text: `${part} ${of}`, level: VALUE };
  if (operator === "&" && Number.isInteger(Math.log2(number))) {
    return { text: `bit ${Math.log2(number)} of ${of}`, level: VALUE };
  }
  if (operator === "&" && Number.isInteger(Math.log2(number + 1))) {
    return { text: `the number in the lowest ${Math.log2(number + 1)} bits of ${of}`, level: VALUE };
  }
  const words = OPERATORS[operator];
  if (words === undefined) throw new Untold(operator);
  const [word, level, onLeft, onRight] = words;
  return { text: `${bracketed(left, onLeft)} ${word} ${bracketed(right, onRight)}`, level };
}
