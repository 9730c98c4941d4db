import type { BodyOf, StoredPreferences } from '../../../../../openapi/client/src/index.ts';
import { api } from '../../session.ts';
import { inOrder } from '../../ui/moderation.ts';

/** The lists of a viewer's preferences as one list of entries, and how one of them is changed. */

const PATH = '/v2/{network}/users/preferences';

type Weighted = NonNullable<StoredPreferences['more']>[number];

/** An entry of preferences. */
export interface Wish {
  list: 'muted' | 'more' | 'less';
  kind: Weighted['kind'];
  value: string;
  /** From then on it has no effect, in seconds. Undefined: forever. */
  until?: number;
}

export const LISTS: Readonly<Record<Wish['list'], string>> = {
  muted: 'Muted',
  more: 'More of',
  less: 'Less of',
};

/** The name of each kind within `muted`. */
const MUTED = { author: 'authors', channel: 'channels', label: 'labels', word: 'words' } as const;
const KINDS = Object.keys(MUTED) as (keyof typeof MUTED)[];

/** An entry from an answer, in which times are numbers and identifiers are texts. */
function wish(list: Wish['list'], { kind, value, until }: Weighted): Wish {
  return { list, kind, value: String(value), ...(until != null && { until: Number(until) }) };
}

/** All entries, in the order in which they were added to each list. */
export function wishesOf({ muted, more, less }: StoredPreferences): Wish[] {
  const mutes = KINDS.flatMap((kind) =>
    (muted?.[MUTED[kind]] ?? []).map((entry) =>
      wish('muted', typeof entry === 'object' ? { ...entry, kind } : { kind, value: entry }),
    ),
  );
  const weighted = (['more', 'less'] as const).map((list) =>
    ({ more, less })[list]?.map((entry) => wish(list, entry)),
  );
  return [...mutes, ...weighted.flatMap((entries) => entries ?? [])];
}

function isSame(one: Wish, { list, kind, value }: Wish): boolean {
  return one.list === list && one.kind === kind && one.value === value;
}

/** The change that sends the whole field which an entry is in. */
function fieldOf({ list, kind }: Wish, all: readonly Wish[]): BodyOf<'PATCH', typeof PATH> {
  const entries = all.filter((one) => one.list === list).map(({ list: _, ...entry }) => entry);
  if (list !== 'muted') return { [list]: entries };
  const values = entries
    .filter((one) => one.kind === kind)
    .map(({ value, until }) => (until === undefined ? value : { value, until }));
  return { muted: { [MUTED[kind]]: values } };
}

/** Changes one field. @throws FeedloomError */
export async function patchPreferences(user_id: string, body: BodyOf<'PATCH', typeof PATH>): Promise<void> {
  await api().call('PATCH', PATH, { query: { user_id }, body });
}

/**
 * Adds an entry, or takes it out. Reads the preferences before, so that what others changed meanwhile stays.
 * @returns the former entry of the same value
 * @throws FeedloomError
 */
export async function setWish(user_id: string, changed: Wish, is_wanted: boolean): Promise<Wish | undefined> {
  let former: Wish | undefined;
  await inOrder(`preferences ${user_id}`, async () => {
    const all = wishesOf(await api().call('GET', PATH, { query: { user_id } }));
    former = all.find((one) => isSame(one, changed));
    const others = all.filter((one) => !isSame(one, changed));
    await patchPreferences(user_id, fieldOf(changed, is_wanted ? [...others, changed] : others));
  });
  return former;
}
