/**
 * URLs within a text. The path and the query may contain secrets, the user and the password do.
 *
 * `at://` is an identifier of Bluesky, and `file://` has no secrets.
 */
const URLS =
  /\b(?!(?:at|file):)([a-z][a-z0-9+.-]*:\/\/)(?:[^\s/?#"<>]*@)?([^\s/?#"'<>@]*)([/?#][^\s"'<>]*)?/gi;

/** A text without the secrets of the URLs in it: `https://user:pw@host:81/path?key=…` becomes `https://host:81/…`. */
export function withShownUrls(text: string): string {
  return text.replace(URLS, (_, scheme: string, host: string, rest = '/') =>
    rest === '/' ? `${scheme}${host}` : `${scheme}${host}/…`,
  );
}

/**
 * The parts of a URL that must not be shown, also without the URL around them: a server may repeat the path.
 *
 * Empty for a text that is no URL.
 */
export function secretsOfUrl(text: string): string[] {
  const url = URL.parse(text);
  if (url === null) return [];
  const parts = [url.pathname.replace(/\/+$/, ''), url.search, url.hash, url.username, url.password];
  return parts.flatMap((part) => [part, decoded(part)]).filter((part) => part !== '');
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
