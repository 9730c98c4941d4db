import type { Signal } from '../../plugin/index.ts';
import { SIGNAL_REASONS } from '../../plugin/reason.ts';
import type { KindData } from '../kind-data.ts';
import {
  DEPENDS_ON_INPUTS,
  FUNCTION,
  isRecord,
  optional,
  READS,
  SECONDS,
  unknownMember,
} from '../member-checks.ts';
import { NO_OPTIONS } from '../template.ts';

const PER_ITEM_MAX = 100;

const REASON = optional(`must be ${SIGNAL_REASONS.join(' or ')}`, (value) =>
  SIGNAL_REASONS.some((reason) => reason === value),
);

export const signals: KindData<Signal> = {
  title: 'signal',
  versioned: false,
  members: {
    reads: READS,
    depends_on: DEPENDS_ON_INPUTS,
    drift_seconds: SECONDS,
    proposes: proposesProblem,
    reason: REASON,
    compile: FUNCTION,
    reaches: FUNCTION,
  },
  problem({ compile, reaches, depends_on = 'viewer', proposes }) {
    if ((compile === undefined) === (reaches === undefined)) return ' must have either compile or reaches';
    if (reaches !== undefined)
      return depends_on === 'viewer' ? undefined : '.depends_on must be viewer, because it has reaches';
    return proposes !== undefined && depends_on === 'viewer'
      ? '.proposes needs reaches, or a depends_on that does not include the viewer'
      : undefined;
  },
  hasDefaultsOnly: () => true,
  usedBy(id, { proposes }) {
    const used = `\`request.signal('${id}')\` in other extensions`;
    if (proposes === undefined) return used;
    return `${used}, and by feeds: it proposes candidates ${proposes.always ? 'to all that are not in the order of a ranking' : 'where the score uses it'}`;
  },
  templates: {
    signal: {
      body: `
summary: 'Comments c as c / (c + 5).',
// The value is the same for every viewer, and changes only with the item's own record.
depends_on: 'item',
${NO_OPTIONS}
// Runs once per item: a number from 0 to 1.
compile: () => (request) => (item) => {
  const comments = request.item.comments_count(item);
  return comments / (comments + 5);
},`,
      tests: `
items: { discussed: { comments_count: 5 }, quiet: {} },
cases: [{ name: 'is a half at five comments', expect: { discussed: 0.5, quiet: 0 } }],`,
    },
  },
};

function proposesProblem(proposes: unknown): string | undefined {
  if (proposes === undefined) return undefined;
  if (!isRecord(proposes)) return '.proposes must be an object such as { per_item: 1 }';
  const unknown = unknownMember(proposes, ['per_item', 'always', 'name']);
  if (unknown !== undefined) return `.proposes ${unknown}`;
  const { per_item, always, name } = proposes;
  if (!(typeof per_item === 'number' && per_item > 0 && per_item <= PER_ITEM_MAX))
    return `.proposes.per_item must be a number above 0, up to ${PER_ITEM_MAX}`;
  if (always !== undefined && typeof always !== 'boolean') return '.proposes.always must be true or false';
  return name === undefined || (typeof name === 'string' && name !== '')
    ? undefined
    : '.proposes.name must be a text';
}
