import { type GroupColumn, NONE, type Ordinal } from '../plugin/index.ts';
import { engagementSince, repeatedSince } from '../state/engagement.ts';
import type { Engine } from './engine.ts';

/**
 * Columns of items and users as plugins read them. Independent of the request.
 *
 * Plugins may read columns of NONE, which has no record. Reading index -1 of an array would return `undefined` and
 * slow down all later reads, so it is handled separately.
 */
export class ItemColumns {
  constructor(readonly engine: Engine) {}

  author(item: Ordinal): Ordinal {
    return item < 0 ? NONE : this.engine.state.items.author(item);
  }

  created_at(item: Ordinal): number {
    return item < 0 ? 0 : this.engine.state.items.created_at(item);
  }

  is_reply(item: Ordinal): boolean {
    return item >= 0 && this.engine.state.items.is_reply(item);
  }

  likes_count(item: Ordinal): number {
    return item < 0 ? 0 : this.engine.state.items.likes_count(item);
  }

  comments_count(item: Ordinal): number {
    return item < 0 ? 0 : this.engine.state.items.comments_count(item);
  }

  shares_count(item: Ordinal): number {
    return item < 0 ? 0 : this.engine.state.items.shares_count(item);
  }

  engagement_since(item: Ordinal, since: number): number {
    return item < 0 ? 0 : engagementSince(this.engine.state, item, since);
  }

  repeated_since(item: Ordinal, since: number): number {
    const { state, scratch } = this.engine;
    return item < 0 ? 0 : repeatedSince(state, scratch.repeats, item, since);
  }

  user(user_id: string): Ordinal {
    return this.engine.state.users.names.find(user_id);
  }

  item(item_id: string): Ordinal {
    return this.engine.state.items.names.find(item_id);
  }

  code(column: GroupColumn, value: string): number {
    return column === 'author' ? this.user(value) : this.engine.state.groups[column].code(value);
  }

  has(column: GroupColumn, item: Ordinal, code: number): boolean {
    if (column === 'author') return code !== NONE && this.author(item) === code;
    return this.engine.state.groups[column].has(item, code);
  }

  any_value(column: GroupColumn, item: Ordinal, test: (code: number, score: number) => boolean): boolean {
    if (column !== 'author') return item >= 0 && this.engine.state.groups[column].any(item, test);
    const author = this.author(item);
    return author !== NONE && test(author, 1);
  }

  label_score(item: Ordinal, label_code: number): number {
    return this.engine.state.groups.label.score(item, label_code);
  }

  latitude(item: Ordinal): number {
    const { item_places, user_places } = this.engine.state;
    const own = item_places.latitude(item);
    return Number.isNaN(own) ? user_places.latitude(this.author(item)) : own;
  }

  longitude(item: Ordinal): number {
    const { item_places, user_places } = this.engine.state;
    const own = item_places.longitude(item);
    return Number.isNaN(own) ? user_places.longitude(this.author(item)) : own;
  }

  text(item: Ordinal): string {
    return this.engine.state.fields.text(item);
  }

  item_field(item: Ordinal, name: string): unknown {
    return this.engine.state.fields.item(item, name);
  }

  user_field(user: Ordinal, name: string): unknown {
    return this.engine.state.fields.user(user, name);
  }
}
