import { seededRandom } from '../../src/clock.ts';
import type { Files } from '../interchange/support.ts';
import { actsCsv, itemsJsonl, type PlantedAct } from './support.ts';

const GROUPS = 5;
const USERS = 12;
const ITEMS = 24;
/** Items that each user likes. Some come from other groups by chance, as outliers. */
const LIKED = 12;

/** Users of five groups. Each likes what others of the group like, one item after another. */
export function plantedActs(): PlantedAct[] {
  const random = seededRandom(7);
  const acts: PlantedAct[] = [];
  for (let round = 0; round < LIKED; round++) {
    for (let user = 0; user < GROUPS * USERS; user++) {
      const group = round === 3 ? Math.floor(random() * GROUPS) : user % GROUPS;
      const item = Math.floor(random() * ITEMS);
      acts.push([`u${user}`, `g${group}-${item}`, 60 * acts.length]);
    }
  }
  return unique(acts);
}

/** A user never likes an item twice. */
function unique(acts: readonly PlantedAct[]): PlantedAct[] {
  const pairs = new Set<string>();
  return acts.filter(([user, item]) => {
    const pair = `${user} ${item}`;
    if (pairs.has(pair)) return false;
    pairs.add(pair);
    return true;
  });
}

/** The planted acts; every fifth is held out. */
export function plantedHoldout(): { data: Files; test: string } {
  const acts = plantedActs();
  const held_out = acts.filter((_, index) => index % 5 === 4);
  const known = acts.filter((_, index) => index % 5 !== 4);
  return { data: { 'interactions.csv.gz': actsCsv(known) }, test: actsCsv(held_out) };
}

/** The planted acts with descriptions of all items before the first act. */
export function plantedReplay(): Files {
  const acts = plantedActs();
  const items = new Set(acts.map(([, item]) => item));
  return {
    'items.jsonl': itemsJsonl([...items].map((item) => [item, 0])),
    'interactions.csv': actsCsv(acts),
  };
}

const HOUR = 3600;
const HOURS = 30;
const STORIES = 20;

/** Hourly stories that get many clicks in their first two hours, and some old favourites. */
export function plantedBursts(): Files {
  const acts: PlantedAct[] = [];
  const items: [string, number][] = [['old', 0]];
  for (let reader = 0; reader < 400; reader++) acts.push([`r${reader}`, 'old', reader]);
  for (let hour = 1; hour < HOURS; hour++) {
    acts.push([`n${hour}`, 'old', hour * HOUR + 1]);
    if (hour <= STORIES) items.push([`s${hour}`, hour * HOUR]);
    for (let age = 0; age < 2; age++) {
      const clicks = hour - age >= 1 && hour - age <= STORIES ? 30 - 10 * age : 0;
      for (let reader = 0; reader < clicks; reader++)
        acts.push([`r${reader + 50 * age}`, `s${hour - age}`, hour * HOUR + 10 + reader * 60]);
    }
  }
  acts.sort(([, , one], [, , other]) => one - other);
  return { 'items.jsonl': itemsJsonl(items), 'interactions.csv': actsCsv(acts) };
}
