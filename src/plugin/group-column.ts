export const GROUP_COLUMNS = [
  'author',
  'channel',
  'app',
  'language',
  'publication_type',
  'domain',
  'label',
] as const;

/**
 * Columns that group items.
 *
 * Values are compared in normal form (`normaliseDomain`, `normaliseLanguage`, …). An item has all domains of its
 * embeds, including parent domains, and the language that `primaryLanguage` returns for its tag.
 */
export type GroupColumn = (typeof GROUP_COLUMNS)[number];
