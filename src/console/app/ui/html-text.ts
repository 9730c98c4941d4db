import { Parser } from 'htmlparser2';

const BREAKS: ReadonlySet<string> = new Set(['br', 'p', 'div', 'li', 'h1', 'h2', 'h3', 'blockquote', 'tr']);
const UNSEEN: ReadonlySet<string> = new Set(['script', 'style']);

/** What a reader of HTML sees, as plain text. */
export function htmlText(html: string): string {
  let text = '';
  let unseen = 0;
  const parser = new Parser({
    onopentag(name) {
      if (UNSEEN.has(name)) unseen++;
      if (BREAKS.has(name) && text !== '' && !text.endsWith('\n')) text += '\n';
    },
    onclosetag(name) {
      if (UNSEEN.has(name)) unseen--;
    },
    ontext(part) {
      if (unseen === 0) text += part;
    },
  });
  parser.end(html);
  return text.trim();
}
