import type { Relation } from '../ingest/relations.ts';
import { clamped } from '../model/acts.ts';
import type { Change } from '../model/change.ts';
import { BLOCK } from '../model/changes/block.ts';
import { EVENT, type EventChange } from '../model/changes/event.ts';
import { FOLLOW } from '../model/changes/follow.ts';
import { FOLLOW_LIST } from '../model/changes/follow-list.ts';
import { INTERACTION } from '../model/changes/interaction.ts';
import { USER_LIST } from '../model/changes/user-list.ts';
import { type Key, NONE } from '../model/key.ts';
import { timeOfAct } from '../state/apply.ts';
import type { State } from '../state/state.ts';
import { type Act, ActRows } from './act-rows.ts';

/** The kinds of acts, and what each is about. */
export const OTHERS = {
  [INTERACTION.kind]: 'items',
  [FOLLOW.kind]: 'users',
  [BLOCK.kind]: 'users',
} as const;
export type ActKind = keyof typeof OTHERS;

/**
 * Acts of the change log, for an export.
 *
 * The state has no `event_id`, and does not know the order of acts at the same time.
 */
export class ExportLog {
  private readonly rows: Readonly<Record<ActKind, ActRows>> = {
    interaction: new ActRows(),
    follow: new ActRows(),
    block: new ActRows(),
  };

  constructor(private readonly state: State) {}

  /** Notes a change before it is applied. */
  note(change: Change): void {
    switch (change.kind) {
      case INTERACTION.kind: {
        if (change.action === 0) break;
        const time = timeOfAct(this.state.vocabulary, change, change.applied_at);
        const event_id = this.isIdentified(change.event_type) ? change.event_id : '';
        this.rows.interaction.add({ ...change, other: change.item, time, event_id });
        break;
      }
      case FOLLOW.kind:
      case BLOCK.kind:
        if (change.action === 1) this.noteRelation(change.kind, change, change.target);
        break;
      case FOLLOW_LIST.kind:
        for (const target of change.followed) this.noteRelation(FOLLOW.kind, change, target);
        break;
      case EVENT.kind:
        if (change.action === 1 && change.space !== USER_LIST.kind)
          this.rows[change.space].name(actOf(change));
        break;
    }
  }

  /** Drops what is not current. Call once, after all changes were applied. */
  finish(): void {
    const { follows, blocks, interactions } = this.state;
    const isAt = (known: { stands: boolean; time: number } | undefined, time: number) =>
      known?.stands === true && known.time === time;
    this.keep(FOLLOW.kind, ({ user, other, time }) => isAt(follows.known(user, other), time));
    this.keep(BLOCK.kind, ({ user, other, time }) => isAt(blocks.known(user, other), time));
    this.keep(INTERACTION.kind, (act) =>
      isAt(interactions.known({ ...act, item: act.other, add: true }), act.time),
    );
  }

  /** Whether some current act of this kind has an `event_id`. */
  hasEventIds(kind: ActKind): boolean {
    return this.rows[kind].has_event_ids;
  }

  /** Current acts by time, and at the same time by arrival. Users and items are ordinals. */
  *acts(kind: ActKind): Generator<Act> {
    for (const row of this.rows[kind]) yield this.inOrdinals(kind, row);
  }

  private noteRelation(
    kind: Relation,
    { user, timestamp, applied_at }: { user: Key; timestamp: number; applied_at: number },
    target: Key,
  ): void {
    const time = clamped(timestamp, applied_at);
    this.rows[kind].add({ user, other: target, event_type: 0, time, event_id: '' });
  }

  private keep(kind: ActKind, isCurrent: (act: Act) => boolean): void {
    this.rows[kind].keep((row) => {
      const act = this.inOrdinals(kind, row);
      const { user, other, event_type, event_id } = act;
      if (user === NONE || other === NONE || !isCurrent(act)) return undefined;
      // Events do not distinguish acts, because only one act of these types is current.
      return `${user} ${other} ${event_type} ${this.isIdentified(event_type) ? event_id : ''}`;
    });
  }

  private inOrdinals(kind: ActKind, act: Act): Act {
    const { users, [OTHERS[kind]]: others } = this.state;
    return { ...act, user: users.names.ordinal(act.user), other: others.names.ordinal(act.other) };
  }

  private isIdentified(event_type: number): boolean {
    return this.state.vocabulary.isIdentifiedByTime(event_type);
  }
}

function actOf({ space, user, item, target, event_type, timestamp, event_id }: EventChange): Act {
  return { user, other: space === INTERACTION.kind ? item : target, event_type, time: timestamp, event_id };
}
