import { type Community, type CommunityOptions, createCommunity } from '../community/community.ts';

/** Communities of a fixed size and seed that measurements are made on. */

export type WorldName = 'S' | 'M' | 'L';

export type WorldSize = Pick<CommunityOptions, 'users' | 'items' | 'follows' | 'interactions'>;

/** How records are loaded: by the ingest API, or by the importer, which is faster. */
export type BuiltBy = 'http' | 'import';

export interface World {
  name: WorldName;
  size: WorldSize;
  /** A tenth of the world, to measure growth. */
  tenth: WorldSize;
  built_by: BuiltBy;
  effort: Effort;
  /** Whether memory per record is measurable, and loading the world several times is fast enough. */
  shows_memory: boolean;
}

/** Durations and repetitions of measurements. */
export interface Effort {
  /** The number of rounds in which contenders take turns. */
  rounds: number;
  /** The number of rounds for pages, whose CPU time is compared between versions. */
  page_rounds: number;
  /** Duration of one turn of one contender. */
  turn_ms: number;
  /** Load before measurements, to fill derived tables. */
  warm_up_ms: number;
  /** Bodies of 1,000 interactions per round of ingest. */
  ingest_bodies: number;
  /** The number of interactions whose time to other users' pages is measured. */
  visibility_probes: number;
  /** The number of starts on an empty folder. */
  starts: number;
}

/** The clock of every world: the last instant of its history. */
export const WORLD_NOW = 1_767_225_600;

const SEED = 7;
const DAYS = 30;

const FULL_EFFORT: Effort = {
  rounds: 5,
  page_rounds: 9,
  turn_ms: 1_500,
  warm_up_ms: 8_000,
  ingest_bodies: 200,
  visibility_probes: 100,
  starts: 5,
};

export const WORLDS: Record<WorldName, World> = {
  S: {
    name: 'S',
    size: { users: 2_000, items: 10_000, follows: 40_000, interactions: 100_000 },
    tenth: { users: 200, items: 1_000, follows: 4_000, interactions: 10_000 },
    built_by: 'http',
    effort: {
      rounds: 2,
      page_rounds: 1,
      turn_ms: 60,
      warm_up_ms: 200,
      ingest_bodies: 10,
      visibility_probes: 10,
      starts: 1,
    },
    shows_memory: false,
  },
  M: {
    name: 'M',
    size: { users: 100_000, items: 200_000, follows: 3_000_000, interactions: 5_000_000 },
    tenth: { users: 10_000, items: 20_000, follows: 300_000, interactions: 500_000 },
    built_by: 'http',
    effort: FULL_EFFORT,
    shows_memory: true,
  },
  L: {
    name: 'L',
    size: { users: 1_000_000, items: 1_000_000, follows: 50_000_000, interactions: 100_000_000 },
    tenth: { users: 100_000, items: 100_000, follows: 5_000_000, interactions: 10_000_000 },
    built_by: 'import',
    effort: FULL_EFFORT,
    shows_memory: false,
  },
};

export function isWorldName(name: string): name is WorldName {
  return Object.hasOwn(WORLDS, name);
}

/** The community of a size. Its records are the same at each run. */
export function communityOf(size: WorldSize): Community {
  return createCommunity({ ...size, seed: SEED, now: WORLD_NOW, days: DAYS, text: false });
}
