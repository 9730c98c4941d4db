import type { TSchema } from '@sinclair/typebox';
import type { ErrorCode } from '../../errors.ts';

/** Groups of operations, in the order of the page. */
export const TAGS = {
  Feeds: 'Pages of ranked items.',
  People: 'Users to follow, and similar users.',
  Preferences: 'What viewers want to get, and what not.',
  'Feed configurations': 'Feeds that are saved and named.',
  Experiments: 'Comparing saved feeds with the viewers of one of them.',
  Learning: 'What feeds have learnt from the pages that they showed.',
  Keys: 'Tokens for apps and pages that cannot keep a key secret.',
  Console: 'Signing in to the web console.',
  Ingest: 'Sending items, users, and what users do.',
  'Stored records': 'Reading and deleting ingested records.',
  'Tokens and NFTs': 'An alpha API that recommends tokens and NFTs to wallets.',
  Bluesky: 'Feeds for the Bluesky app: the feed generator.',
  Audit: 'The log of changes to feeds, experiments and keys.',
  Operations: 'Health, metrics, plugins and languages.',
} as const;

/** What the document says about a route beside its schemas. */
export interface OperationDocs {
  tag: keyof typeof TAGS;
  /** Unique over the whole API. */
  id: string;
  summary: string;
  description: string;
  /** Errors other than those that follow from the admission, the parameters and the body. */
  errors?: readonly ErrorCode[];
  /** Schema of its errors, if it differs from the usual one. */
  problem?: TSchema;
}

/** For routes that take an identifier from the query. */
export const BY_QUERY =
  'Same as the route with the identifier in the path. Use it for identifiers that a path cannot carry: `.`, `..`, and those with a `/` behind a proxy that decodes paths.';

/** The documentation of the same route with the identifier in the query. */
export function byQuery(docs: OperationDocs): OperationDocs {
  return { ...docs, id: `${docs.id}ByQuery`, description: `${docs.description} ${BY_QUERY}` };
}
