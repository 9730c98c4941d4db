/** The page that a feed would give, beside its editor. */
export function Preview(_: { endpoint: string; config: object }) {
  return null;
}
