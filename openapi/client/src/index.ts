/** The client of Feedloom's HTTP API. README.md shows how to use it. */
export type { ChangeOptions, FeedQuestions, FeedRequests, FeedType, WalkRequest } from './client.ts';
export { FeedloomClient } from './client.ts';
export type { ErrorCode } from './errors.ts';
export { ConnectionError, FeedloomError } from './errors.ts';
export type { IngestKind, RecordOf, Records } from './ingest.ts';
export type {
  AnswerOf,
  BodyOf,
  CallOptions,
  InputArguments,
  InputOf,
  Method,
  PathOf,
  QueryOf,
} from './operations.ts';
export type { ClientOptions } from './options.ts';
export type * from './schema.ts';
