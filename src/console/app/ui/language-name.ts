const NAMES = new Intl.DisplayNames('en', { type: 'language', fallback: 'code' });

/** What a language is called. Codes that are not well-formed stay as they are. */
export function languageName(code: string): string {
  try {
    return NAMES.of(code) ?? code;
  } catch {
    return code;
  }
}
