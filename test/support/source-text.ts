/** Reading sources as text: enough for house rules, no parser. */

/** A function with a block body. */
export interface SourceFunction {
  name: string;
  /** 1-based line of its beginning. */
  line: number;
  /** From its first line to its last. */
  lines: number;
}

/** Comments, or anything that may hold what looks like one: texts and regular expressions. */
const TOKENS =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\[\s\S])*`|(?<=[=(,:[!&|?{};]\s*|return\s)\/(?![*/])(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/g;

/** `text` with comments, texts and regular expressions blanked out; every line stays where it is. */
export function withoutComments(text: string): string {
  return text.replace(TOKENS, (token) => token.replace(/[^\n]/g, ' '));
}

/** What a line that opens a block belongs to when it is no function. */
const NO_FUNCTION = /\b(if|for|while|switch|catch|try|else|do|class|interface|enum|namespace|return)\b/;
const FUNCTION =
  /(?:\bfunction\s*\*?\s*(\w+)|(\w+)\s*=\s*(?:async\s*)?\(|^\s*(?:(?:private|static|async|override|get|set|protected|\*)\s*)*#?(\w+)\s*(?:<[^()]*>)?\()/;

/** Functions and methods by their braces, named ones that begin a line; arrow functions inside count to them. */
export function functionsOf(text: string): SourceFunction[] {
  const lines = withoutComments(text).split('\n');
  const found: SourceFunction[] = [];
  for (const [index, line] of lines.entries()) {
    const name = nameOf(line);
    if (name === undefined) continue;
    const end = endOfBlock(lines, index);
    if (end !== undefined) found.push({ name, line: index + 1, lines: end - index + 1 });
  }
  return found;
}

function nameOf(line: string): string | undefined {
  const match = FUNCTION.exec(line);
  const name = match?.[1] ?? match?.[2] ?? match?.[3];
  return name === undefined || NO_FUNCTION.test(name) ? undefined : name;
}

/** The line that closes what begins at a line: parentheses first, then braces; undefined without a block. */
function endOfBlock(lines: readonly string[], from: number): number | undefined {
  let depth = 0;
  let block = false;
  for (let index = from; index < lines.length; index++) {
    for (const letter of lines[index]) {
      if (letter === '(' || letter === '[' || letter === '{') {
        depth++;
        if (letter === '{') block = true;
      } else if (letter === ')' || letter === ']' || letter === '}') depth--;
      if (depth < 0) return undefined;
    }
    const open_ended =
      /(=>|=|\)|:|\||&|,|extends|>)\s*$/.test(lines[index]) && !/\)\s*;?\s*$/.test(lines[index]);
    if (depth === 0 && (block || !open_ended)) return block ? index : undefined;
  }
  return undefined;
}
