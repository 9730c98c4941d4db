import type { FeedloomClient } from '../../openapi/client/src/index.ts';

/** Requests at a time. */
const AT_ONCE = 20;

/** Viewers of an experiment. */
interface Traffic {
  feed_id: string;
  /** Begins the ids of the viewers. */
  prefix: string;
  /** Viewers of each variant. */
  viewers: Readonly<Record<string, number>>;
  /** Percent of them who like the first post that they see. */
  like_percents: Readonly<Record<string, number>>;
}

/** Lets viewers read a feed under an experiment, and some of them like a post. */
export async function readUnderExperiment(api: FeedloomClient, traffic: Traffic): Promise<void> {
  const { feed_id, viewers, like_percents } = traffic;
  const chosen = await viewersOf(api, traffic);
  const likes: { user_id: string; item_id: string; event_type: 'like' }[] = [];
  await inParallel(chosen, async ({ user_id, variant, index }) => {
    const { body } = await api.popular({ feed_id, user_id, top_k: 3, impression_count: 3 });
    const is_liked = index < (viewers[variant] * (like_percents[variant] ?? 0)) / 100;
    if (is_liked && body.length > 0) likes.push({ user_id, item_id: body[0].item_id, event_type: 'like' });
  });
  await api.ingest('interactions', likes);
}

/** Readers of a feed under an interleaving experiment, who each like a post of one team. */
interface Interleaved {
  feed_id: string;
  prefix: string;
  readers: number;
  /** The team whose posts this percent of them like. */
  favoured: string;
  percent: number;
}

export async function readInterleaved(api: FeedloomClient, given: Interleaved): Promise<void> {
  const { feed_id, prefix, readers, favoured, percent } = given;
  const likes: { user_id: string; item_id: string; event_type: 'like' }[] = [];
  await inParallel([...Array(readers).keys()], async (at) => {
    const user_id = `${prefix}-${at}`;
    const { body } = await api.popular({ feed_id, user_id, top_k: 4, impression_count: 4 });
    const wants_favoured = at < (readers * percent) / 100;
    const liked = body.find(({ team }) => (team === favoured) === wants_favoured);
    if (liked !== undefined) likes.push({ user_id, item_id: liked.item_id, event_type: 'like' });
  });
  await api.ingest('interactions', likes);
}

/** Viewers of each variant, exactly as many as wanted: chance must not fail the check of the sample ratio. */
async function viewersOf(api: FeedloomClient, { feed_id, prefix, viewers }: Traffic) {
  const found = new Map(Object.keys(viewers).map((variant) => [variant, [] as string[]]));
  const isMissing = ([variant, ids]: [string, string[]]): boolean => ids.length < viewers[variant];
  for (let start = 0; [...found].some(isMissing); start += AT_ONCE) {
    const ids = Array.from({ length: AT_ONCE }, (_, at) => `${prefix}-${start + at}`);
    await inParallel(ids, async (user_id) => {
      // Nothing is recorded as seen, so the viewer is not counted yet.
      const { experiment } = await api.popular({ feed_id, user_id, top_k: 1, impression_count: 0 });
      if (experiment?.variant !== undefined) found.get(experiment.variant)?.push(user_id);
    });
  }
  return [...found].flatMap(([variant, ids]) =>
    ids.slice(0, viewers[variant]).map((user_id, index) => ({ user_id, variant, index })),
  );
}

async function inParallel<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  for (let start = 0; start < all.length; start += AT_ONCE) {
    await Promise.all(all.slice(start, start + AT_ONCE).map(work));
  }
}
