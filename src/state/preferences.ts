import { type Key, NONE } from '../model/key.ts';
import { NO_PREFERENCES, type Preferences, preferencesBytes } from '../model/records/preferences.ts';

interface Version {
  preferences: Preferences<Key>;
  seq: number;
  bytes: number;
}

/** The preferences of the users who set some. */
export class PreferencesOfUsers {
  private readonly by_user = new Map<number, Version>();
  /** Of all preferences. */
  bytes = 0;

  get count(): number {
    return this.by_user.size;
  }

  /** Of the preferences of a user; 0 for those who set none. */
  bytesOf(user: number): number {
    return this.by_user.get(user)?.bytes ?? 0;
  }

  /** Undefined for users who set none, and for NONE. */
  of(user: number): Preferences<Key> | undefined {
    return user === NONE ? undefined : this.by_user.get(user)?.preferences;
  }

  users(): number[] {
    return [...this.by_user.keys()];
  }

  /** Whether any entry names words. O(users with preferences). */
  get name_words(): boolean {
    return this.by_user
      .values()
      .some(
        ({ preferences: { muted, more, less } }) =>
          muted.words.length > 0 || [...more, ...less].some(({ kind }) => kind === 'word'),
      );
  }

  /** Whether pages may use what the user did. */
  isPersonalised(user: number): boolean {
    return this.of(user)?.personalised !== false;
  }

  /** Whether the user has set preferences after this change. */
  haveChangedSince(user: number, seq: number): boolean {
    return (this.by_user.get(user)?.seq ?? 0) > seq;
  }

  set(user: number, preferences: Preferences<Key>, seq: number): void {
    this.erase(user);
    if (Bun.deepEquals(preferences, NO_PREFERENCES)) return;
    const bytes = preferencesBytes(preferences);
    this.by_user.set(user, { preferences, seq, bytes });
    this.bytes += bytes;
  }

  erase(user: number): void {
    this.bytes -= this.bytesOf(user);
    this.by_user.delete(user);
  }
}
