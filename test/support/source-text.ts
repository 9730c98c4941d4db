/** Reads sources as text: enough for the rules of the house, not a parser. */

/** A function with a block body. */
export interface SourceFunction {
  name: string;
  /** 1-based line of its start. */
  line: number;
  /** Number of lines from first to last. */
  lines: number;
}

/** Comments, strings and regular expressions, any of which may contain what looks like another. */
const TOKENS =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\[\s\S])*`|(?<=[=(,:[!&|?{};]\s*|return\s)\/(?![*/])(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/g;

/** `text` with comments, strings and regular expressions blanked. Line numbers stay the same. */
export function withoutComments(text: string): string {
  return text.replace(TOKENS, (token) => token.replace(/[^\n]/g, ' '));
}

/** `text` with only its strings in single quotes, beside code. Templates are texts for others. */
export function withQuoted(text: string): string {
  return text.replace(TOKENS, (token) => (token.startsWith("'") ? token : token.replace(/[^\n]/g, ' ')));
}

/** Keywords of lines that open a block without being a function. */
const NO_FUNCTION = /\b(if|for|while|switch|catch|try|else|do|class|interface|enum|namespace|return)\b/;
const FUNCTION =
  /(?:\bfunction\s*\*?\s*(\w+)|(\w+)\s*=\s*(?:async\s*)?\(|^\s*(?:(?:private|static|async|override|get|set|protected|\*)\s*)*#?(\w+)\s*(?:<[^()]*>)?\()/;

/** Named functions and methods that begin a line, found by braces. Nested arrow functions are part of them. */
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

/** Line that closes the construct at a line: parentheses first, then braces. Undefined without a block. */
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
