/** Texts in backticks and quotes are names. */
const NAMES = /(`[^`]*`|'[^']*')/;

/** A text of the API in the words of the console: an item is a post. Names in it stay as they are. */
export function inConsoleWords(text: string): string {
  return text
    .split(NAMES)
    .map((part, at) => (at % 2 === 1 ? part : withPosts(part)))
    .join('');
}

function withPosts(text: string): string {
  return text
    .replace(/\b([Aa])n item\b/g, '$1 post')
    .replace(/\bitem(s?)\b/g, 'post$1')
    .replace(/\bItem(s?)\b/g, 'Post$1');
}
