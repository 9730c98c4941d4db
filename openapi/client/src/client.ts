import {
  batchesOf,
  INGEST_PATHS,
  type IngestKind,
  IngestTotals,
  type RecordOf,
  type Records,
} from './ingest.ts';
import type {
  AnswerOf,
  BodyOf,
  CallOptions,
  InputArguments,
  InputOf,
  Method,
  PathOf,
  QueryOf,
} from './operations.ts';
import type { ClientOptions } from './options.ts';
import type * as Api from './schema.ts';
import { Transport } from './transport.ts';

/** The requests of each feed type. */
export interface FeedRequests {
  'for-you': Api.ForYouRequest;
  trending: Api.TrendingRequest;
  popular: Api.PopularRequest;
}

/** The questions about an item of each feed type. */
export interface FeedQuestions {
  'for-you': Api.ForYouQuestion;
  trending: Api.TrendingQuestion;
  popular: Api.PopularQuestion;
}

export type FeedType = keyof FeedRequests;

/** What every page of a walk is asked with. Each page has a `request_id` of its own. */
export type WalkRequest<T extends FeedType> = Omit<
  FeedRequests[T],
  'request_id' | 'page_number' | 'page_size'
>;

/** Options of a change to a saved feed. */
export interface ChangeOptions extends CallOptions {
  /** Merges `config` with the saved one, key by key, instead of replacing it. */
  merge?: boolean;
  /** Refuses the change if the feed has another revision by now. */
  revision?: number;
}

type Answer<M extends Method, P extends PathOf<M>> = Promise<AnswerOf<M, P>>;

/**
 * A Feedloom service. Every method rejects with `FeedloomError` when the service refuses the call, and with
 * `ConnectionError` when no answer arrives. Calls that can be sent again are: see README.md.
 */
export class FeedloomClient {
  private readonly transport: Transport;

  /** @throws TypeError if an option is wrong */
  constructor(options: ClientOptions) {
    this.transport = new Transport(options);
  }

  /**
   * Any operation of the API: `call('GET', '/v2/{network}/items', { query: { item_id: 'a' } })`. The client fills
   * `{network}` and `{chain}` in.
   */
  async call<M extends Method, P extends PathOf<M>>(
    method: M,
    path: P,
    ...[input]: InputArguments<InputOf<M, P>>
  ): Answer<M, P> {
    return (await this.transport.call(method, path, input)) as AnswerOf<M, P>;
  }

  /** A page that is made for a viewer. */
  forYou(body: Api.ForYouRequest, options?: CallOptions): Promise<Api.FeedAnswer> {
    return this.feed('for-you', body, options);
  }

  /** A page of what is gathering engagement. */
  trending(body: Api.TrendingRequest = {}, options?: CallOptions): Promise<Api.FeedAnswer> {
    return this.feed('trending', body, options);
  }

  /** A page of what has the most engagement. */
  popular(body: Api.PopularRequest = {}, options?: CallOptions): Promise<Api.FeedAnswer> {
    return this.feed('popular', body, options);
  }

  /** A page of any feed type. */
  feed<T extends FeedType>(
    feed_type: T,
    body: FeedRequests[T],
    options?: CallOptions,
  ): Promise<Api.FeedAnswer> {
    return this.page(feed_type, body, options);
  }

  /** The pages of a feed, each after the one before, without repeats. `request.cursor` goes on after an earlier page. */
  async *pages<T extends FeedType>(
    feed_type: T,
    request: WalkRequest<T>,
    options?: CallOptions,
  ): AsyncGenerator<Api.FeedAnswer, void> {
    let { cursor } = request;
    do {
      const answer = await this.page(feed_type, { ...request, cursor }, options);
      yield answer;
      cursor = answer.cursor;
    } while (cursor !== undefined);
  }

  /** The items of a feed, without repeats. The next page is requested when its first item is asked for. */
  async *walk<T extends FeedType>(
    feed_type: T,
    request: WalkRequest<T>,
    options?: CallOptions,
  ): AsyncGenerator<Api.FeedItem, void> {
    for await (const { body } of this.pages(feed_type, request, options)) yield* body;
  }

  /** Why an item is on a page, or why it is not. */
  async explain<T extends FeedType>(
    feed_type: T,
    body: FeedQuestions[T],
    options?: CallOptions,
  ): Promise<Api.ExplainAnswer> {
    const path = `/v2/{network}/feeds/${feed_type}/explain`;
    return (await this.transport.call('POST', path, { body, ...options })) as Api.ExplainAnswer;
  }

  /** Reports what a viewer really saw, for pages with `mark_seen` false. Sending it again changes nothing. */
  reportSeen(
    body: BodyOf<'POST', '/v2/{network}/impressions'>,
    options?: CallOptions,
  ): Promise<Api.SeenAnswer> {
    return this.call('POST', '/v2/{network}/impressions', { body, ...options });
  }

  /** Users whom a viewer may want to follow, with reasons. */
  recommendedUsers(body: Api.PeopleRequest, options?: CallOptions): Promise<Api.PeopleAnswer> {
    return this.call('POST', '/v2/{network}/users/recommended', { body, ...options });
  }

  /** Users like another user, with reasons. */
  similarUsers(
    user_id: string,
    query: Omit<QueryOf<'GET', '/v2/{network}/users/similar'>, 'user_id'> = {},
    options?: CallOptions,
  ): Promise<Api.PeopleAnswer> {
    return this.call('GET', '/v2/{network}/users/similar', { query: { user_id, ...query }, ...options });
  }

  /** Items like another item. */
  similarItems(
    item_id: string,
    query: Omit<QueryOf<'GET', '/v2/{network}/items/similar'>, 'item_id'> = {},
    options?: CallOptions,
  ): Promise<Api.SimilarItems> {
    return this.call('GET', '/v2/{network}/items/similar', { query: { item_id, ...query }, ...options });
  }

  /** A page of a feed that is not saved. It records nothing. */
  preview(body: Api.Preview, options?: CallOptions): Promise<Api.FeedAnswer> {
    return this.call('POST', '/api/feed/preview', { body, ...options });
  }

  /**
   * Sends records in as many bodies as they need, one after another. If it fails in between, send all of them again:
   * records that are already stored change nothing.
   * @param options.dry_run stores nothing. The answer is the same, but a body is not checked against the ones before it
   * @throws FeedloomError also if no record was accepted; `rejected` says why
   */
  async ingest<K extends IngestKind>(
    kind: K,
    records: Records<RecordOf<K>>,
    { dry_run, ...options }: CallOptions & { dry_run?: true } = {},
  ): Promise<Api.IngestAnswer> {
    const totals = new IngestTotals(dry_run);
    for await (const batch of batchesOf(records)) {
      try {
        const answer = await this.transport.call('POST', INGEST_PATHS[kind], {
          body: batch.records,
          query: { dry_run },
          ...options,
        });
        totals.add(answer as Api.IngestAnswer, batch.start);
      } catch (error) {
        totals.addRefusal(error, batch);
      }
    }
    return totals.answer;
  }

  /** Replaces the whole list of users whom a user follows. */
  putFollows(user_id: string, body: Api.FollowList, options?: CallOptions): Promise<Api.ListAnswer> {
    return this.call('PUT', '/v2/{network}/users/follows', { query: { user_id }, body, ...options });
  }

  /** Replaces a list of users, which filters name as `list:<list_id>`. */
  putList(list_id: string, body: Api.UserList, options?: CallOptions): Promise<Api.ListAnswer> {
    return this.call('PUT', '/v2/{network}/lists', { query: { list_id }, body, ...options });
  }

  /** Adds users to a list, and removes some. */
  changeList(list_id: string, body: Api.UserListChanges, options?: CallOptions): Promise<Api.ListAnswer> {
    return this.call('PATCH', '/v2/{network}/lists', { query: { list_id }, body, ...options });
  }

  /** Deletes a list of users. A feed that names it shows nothing, or removes nothing, and warns. */
  deleteList(
    list_id: string,
    query: Omit<QueryOf<'DELETE', '/v2/{network}/lists'>, 'list_id'> = {},
    options?: CallOptions,
  ): Promise<Api.ListAnswer> {
    return this.call('DELETE', '/v2/{network}/lists', { query: { list_id, ...query }, ...options });
  }

  /** The lists of users, with their sizes. */
  listLists(
    query: Omit<QueryOf<'GET', '/v2/{network}/lists'>, 'list_id'> = {},
    options?: CallOptions,
  ): Promise<Api.Lists> {
    return this.read('lists', query, options);
  }

  /** A list of users. If the answer does not have all, its `warnings` name the offset of the rest. */
  getList(
    list_id: string,
    query: Omit<QueryOf<'GET', '/v2/{network}/lists'>, 'list_id'> = {},
    options?: CallOptions,
  ): Promise<Api.StoredList> {
    return this.read('lists', { list_id, ...query }, options);
  }

  /** The stored record of an item. */
  item(item_id: string, options?: CallOptions): Promise<Api.StoredItem> {
    return this.read('items', { item_id }, options);
  }

  /** The stored record of a user. */
  user(user_id: string, options?: CallOptions): Promise<Api.StoredUser> {
    return this.read('users', { user_id }, options);
  }

  /** All that is known of a person, line by line. */
  exportUser(user_id: string, options?: CallOptions): Promise<Api.PersonLine[]> {
    return this.call('GET', '/v2/{network}/users/export', { query: { user_id }, ...options });
  }

  deleteItem(
    item_id: string,
    query: Omit<QueryOf<'DELETE', '/v2/{network}/items'>, 'item_id'> = {},
    options?: CallOptions,
  ): Promise<Api.Done> {
    return this.call('DELETE', '/v2/{network}/items', { query: { item_id, ...query }, ...options });
  }

  /** Erases a person. */
  deleteUser(
    user_id: string,
    query: Omit<QueryOf<'DELETE', '/v2/{network}/users'>, 'user_id'> = {},
    options?: CallOptions,
  ): Promise<Api.Done> {
    return this.call('DELETE', '/v2/{network}/users', { query: { user_id, ...query }, ...options });
  }

  /** Up to 100 users and 100 items by their identifiers, with hidden ones. Unknown ones are left out. */
  readRecords(
    body: BodyOf<'POST', '/v2/{network}/records/read'>,
    options?: CallOptions,
  ): Answer<'POST', '/v2/{network}/records/read'> {
    return this.call('POST', '/v2/{network}/records/read', { body, ...options });
  }

  /** Items by how many users hid and reported them, for moderators. */
  reports(query: QueryOf<'GET', '/v2/{network}/reports'> = {}, options?: CallOptions): Promise<Api.Reports> {
    return this.call('GET', '/v2/{network}/reports', { query, ...options });
  }

  /** A token that reads feeds for one viewer, for apps and pages. */
  createToken(body: Api.NewViewerToken, options?: CallOptions): Answer<'POST', '/api/tokens'> {
    return this.call('POST', '/api/tokens', { body, ...options });
  }

  createFeed(body: Api.NewFeed, options?: CallOptions): Promise<Api.SavedFeedAnswer> {
    return this.call('POST', '/api/feed/config', { body, ...options });
  }

  readFeed(config_id: string, options?: CallOptions): Answer<'GET', '/api/feed/config'> {
    return this.call('GET', '/api/feed/config', { query: { config_id }, ...options });
  }

  /** Changes a saved feed: the fields that are given replace the saved ones. */
  changeFeed(body: Api.ChangedFeed, options: ChangeOptions = {}): Promise<Api.SavedFeedAnswer> {
    const { merge, revision, signal } = options;
    const headers = ifMatch(revision);
    return this.call('PATCH', '/api/feed/config', { query: { merge }, headers, body, signal });
  }

  deleteFeed(
    config_id: string,
    { revision, signal }: Omit<ChangeOptions, 'merge'> = {},
  ): Answer<'DELETE', '/api/feed/config'> {
    return this.call('DELETE', '/api/feed/config', {
      query: { config_id },
      headers: ifMatch(revision),
      signal,
    });
  }

  /** The latest revisions of a saved feed, newest first. */
  feedRevisions(config_id: string, options?: CallOptions): Answer<'GET', '/api/feed/config/revisions'> {
    return this.call('GET', '/api/feed/config/revisions', { query: { config_id }, ...options });
  }

  /** The deleted feeds of the account that can be restored, the latest deletion first. */
  deletedFeeds(options?: CallOptions): Answer<'GET', '/api/feed/config/deleted'> {
    return this.call('GET', '/api/feed/config/deleted', { ...options });
  }

  /** Undoes the deletion of a saved feed. */
  restoreFeed(config_id: string, options?: CallOptions): Promise<Api.SavedFeedAnswer> {
    return this.call('POST', '/api/feed/config/restore', { query: { config_id }, ...options });
  }

  /** The saved feeds of the account, newest first, or the templates of all accounts. */
  listFeeds(
    body: BodyOf<'POST', '/api/feed/configs'> = {},
    options?: CallOptions,
  ): Answer<'POST', '/api/feed/configs'> {
    return this.call('POST', '/api/feed/configs', { body, ...options });
  }

  /** Who changed feeds and keys of the account, newest first. */
  audit(query: QueryOf<'GET', '/api/audit'> = {}, options?: CallOptions): Answer<'GET', '/api/audit'> {
    return this.call('GET', '/api/audit', { query, ...options });
  }

  /** The account and the key that calls are sent with. */
  session(options?: CallOptions): Answer<'GET', '/api/session'> {
    return this.call('GET', '/api/session', options);
  }

  /** The plugins that the service has loaded. */
  plugins(options?: CallOptions): Answer<'GET', '/api/plugins'> {
    return this.call('GET', '/api/plugins', options);
  }

  /** The languages that the service detects. */
  languages(options?: CallOptions): Answer<'GET', '/api/languages'> {
    return this.call('GET', '/api/languages', options);
  }

  /** @template T the record with the identifier of the query, or the list of all records without one */
  private async read<K extends 'items' | 'users' | 'lists', T extends AnswerOf<'GET', `/v2/{network}/${K}`>>(
    kind: K,
    query: object,
    options?: CallOptions,
  ): Promise<T> {
    return (await this.transport.call('GET', `/v2/{network}/${kind}`, {
      query: { ...query },
      ...options,
    })) as T;
  }

  private async page(feed_type: FeedType, body: object, options?: CallOptions): Promise<Api.FeedAnswer> {
    const answer = await this.transport.call('POST', `/v2/{network}/feeds/${feed_type}`, {
      body,
      ...options,
    });
    return answer as Api.FeedAnswer;
  }
}

function ifMatch(revision: number | undefined): { 'if-match'?: string } {
  return revision === undefined ? {} : { 'if-match': `"${revision}"` };
}
