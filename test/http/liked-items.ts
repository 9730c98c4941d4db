import { START } from '../support/service.ts';
import type { Community } from './support.ts';

/** Identifier of the item of a channel with this rank by likes, from 0. */
export const idOf = (channel: string, at: number) => `${channel}-${String(at).padStart(2, '0')}`;

/** Adds items `a-00` … to channels, by authors in turn. Each is a little older and less liked than the one before. */
export async function addLikedItems(
  community: Community,
  counts: Readonly<Record<string, number>>,
  authors: number,
): Promise<void> {
  for (const [channel, count] of Object.entries(counts)) {
    const items = Array.from({ length: count }, (_, at) => ({
      item_id: idOf(channel, at),
      author_id: `${channel}-author-${at % authors}`,
      created_at: START - at,
      channel,
      likes_count: 100 - at,
    }));
    await community.add('items', ...items);
  }
}
