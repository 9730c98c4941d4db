import { StartupError } from '../../src/errors.ts';
import { executableOf, type Program } from './program.ts';
import type { World } from './worlds.ts';

interface Group {
  title: string;
  /** `service`: needs a service on a copy of the world; `world`: needs only the world. */
  needs: 'service' | 'world' | 'nothing';
}

/** The object of a run's measurements. */
interface Subject {
  world: World;
  program: Program;
  /** The program that pages are compared with. */
  against: Program | undefined;
}

/** Groups of measures by their name for `--only`, in the order of a run. */
export const GROUPS = {
  memory: {
    title: 'resident bytes of a follow, an interaction, an item, a seen item (world M)',
    needs: 'world',
  },
  start: { title: 'replay, start with a checkpoint, first feed on an empty folder', needs: 'world' },
  hash: { title: 'hash of the items on fixed pages: equal when the ranking is equal', needs: 'world' },
  compare: {
    title: 'CPU time of pages over that of another Feedloom, in turns (needs --against)',
    needs: 'world',
  },
  'first-pages': { title: 'p99 and items of for-you pages right after a start, over warm', needs: 'world' },
  pages: { title: 'rate and CPU time of for-you, trending and popular pages', needs: 'service' },
  latency: { title: 'p99 of for-you pages at half of the peak load', needs: 'service' },
  selectivity: { title: 'time of filtered for-you pages', needs: 'service' },
  scale: { title: 'growth of the time of a for-you page with the world', needs: 'service' },
  'ingest-reads': { title: 'p99 of for-you pages while interactions arrive', needs: 'service' },
  visibility: { title: 'time until an act shows in the pages of others', needs: 'service' },
  ingest: { title: 'interactions acknowledged a second', needs: 'service' },
  executable: { title: 'size of the executable', needs: 'nothing' },
} as const satisfies Record<string, Group>;

export type GroupName = keyof typeof GROUPS;

const NAMES = Object.keys(GROUPS) as GroupName[];

function isGroupName(name: string): name is GroupName {
  return Object.hasOwn(GROUPS, name);
}

/** The groups and what they measure, one per line, for the help text. */
export function groupsHelp(): string {
  const width = Math.max(...NAMES.map(({ length }) => length));
  const lines = NAMES.map((name) => `  ${name.padEnd(width)}  ${GROUPS[name].title}`);
  return ['Groups that --only can name:', ...lines].join('\n');
}

/**
 * Selects the groups of a run.
 * @param asked names given to `--only`; undefined: all groups that can be measured
 * @throws StartupError for an unknown group, and for one that cannot be measured
 */
export function groupsToMeasure(
  asked: readonly string[] | undefined,
  subject: Subject,
): ReadonlySet<GroupName> {
  if (asked === undefined) {
    return new Set(NAMES.filter((name) => whyNot(name, subject) === undefined));
  }
  if (subject.against !== undefined && !asked.includes('compare')) {
    throw new StartupError('bad_setting', '--against is for the group compare, which --only leaves out');
  }
  return new Set(
    asked.map((name) => {
      if (!isGroupName(name)) {
        throw new StartupError(
          'bad_setting',
          `--only: there is no group '${name}'`,
          `Choose from ${NAMES.join(', ')}.`,
        );
      }
      const reason = whyNot(name, subject);
      if (reason !== undefined) throw new StartupError('bad_setting', `--only ${name}: ${reason}`);
      return name;
    }),
  );
}

function whyNot(name: GroupName, { world, program, against }: Subject): string | undefined {
  if (name === 'memory' && !world.shows_memory) {
    return `world ${world.name} cannot show the memory of one record; choose --world M`;
  }
  if (name === 'executable' && executableOf(program) === undefined) {
    return 'the measured program runs from sources; name an executable with --program';
  }
  if (name === 'compare' && against === undefined) return 'name the other Feedloom with --against';
  return undefined;
}

/** Whether at least one of the groups has one of these needs. */
export function anyNeeds(groups: Iterable<GroupName>, ...needs: Group['needs'][]): boolean {
  return [...groups].some((name) => needs.includes(GROUPS[name].needs));
}
