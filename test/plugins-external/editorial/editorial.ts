/**
 * acme/editorial_v1.0.0: interest, affinity and popularity, multiplied by what the editors say of an item or its
 * author. They say it in a JSON file, which is read again every few seconds:
 * `{"items": {"<item_id>": 2}, "authors": {"<user_id>": 0.5}}`. ACME_BOOSTS: its path (boosts.json beside this
 * file); ACME_BOOSTS_SECONDS: 30.
 */
import { join } from 'node:path';
import { definePlugin, defineScoringFunction, type IdMap, type Refreshed, Type } from 'feedloom/plugin';

interface Boosts {
  items: IdMap<number>;
  authors: IdMap<number>;
}

/** Assigned in `setup`, which runs before anything is compiled. */
let boosts: Refreshed<Boosts>;

/** Identifiers and factors. @throws Error for anything but an object of numbers above 0 */
function factors(given: unknown, name: string): [string, number][] {
  const entries = Object.entries(typeof given === 'object' && given !== null ? given : {});
  const wrong = entries.find(([, factor]) => !(typeof factor === 'number' && factor > 0 && factor <= 100));
  if (wrong !== undefined)
    throw new Error(`${name}: the boost of '${wrong[0]}' must be above 0, at most 100`);
  return entries as [string, number][];
}

export default definePlugin({
  meta: { name: 'acme', version: '1.0.0', api: 2 },
  setup(host) {
    const path = Bun.env.ACME_BOOSTS ?? join(import.meta.dir, 'boosts.json');
    const seconds = Number(Bun.env.ACME_BOOSTS_SECONDS ?? 30);
    boosts = host.refresh('boosts', seconds, async () => {
      const { items, authors }: { items?: unknown; authors?: unknown } = await Bun.file(path).json();
      return {
        items: host.item_map(factors(items, 'items')),
        authors: host.user_map(factors(authors, 'authors')),
      };
    });
  },
  scoring_functions: {
    'acme/editorial_v1.0.0': defineScoringFunction({
      summary: "Interest, affinity and popularity, times the editors' boosts.",
      options: Type.Object(
        {
          strength: Type.Number({
            minimum: 0,
            maximum: 1,
            default: 1,
            description: 'a number from 0 (no boosts) to 1 (in full)',
          }),
        },
        { additionalProperties: false },
      ),
      compile:
        ({ strength }) =>
        (request) => {
          const { items, authors } = boosts.value;
          const interest = request.signal('interest_all');
          const affinity = request.signal('affinity_all');
          const popular = request.signal('popular');
          return (item) => {
            const plain = 0.5 * interest(item) + 0.3 * affinity(item) + 0.2 * popular(item);
            const boost = (items.get(item) ?? 1) * (authors.get(request.item.author(item)) ?? 1);
            return plain * boost ** strength;
          };
        },
    }),
  },
});
