/**
 * Text from outside may contain what a database rejects: NUL on PostgreSQL, unpaired surrogates on both engines. Such
 * text is escaped here, so that one odd identifier cannot fail a whole batch. JSON text needs no escaping, because
 * `JSON.stringify` escapes both.
 */

const ESCAPE = '\u001a';
const CONTROLS = `[\0${ESCAPE}]`;
const SUSPECT = new RegExp(`${CONTROLS}|[\\ud800-\\udfff]`);
const UNSTORABLE = new RegExp(
  `${CONTROLS}|[\\ud800-\\udbff](?![\\udc00-\\udfff])|(?<![\\ud800-\\udbff])[\\udc00-\\udfff]`,
  'g',
);
const ESCAPED = new RegExp(`${ESCAPE}([0-9a-f]{4})`, 'g');

/** Escapes `text` so that both engines can store it. Most strings are returned unchanged. */
export function storableText(text: string): string {
  if (!SUSPECT.test(text)) return text;
  return text.replace(UNSTORABLE, (unit) => ESCAPE + unit.charCodeAt(0).toString(16).padStart(4, '0'));
}

/** The inverse of `storableText`. */
export function restoredText(text: string): string {
  if (!text.includes(ESCAPE)) return text;
  return text.replace(ESCAPED, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
