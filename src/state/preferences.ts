import { type Key, NONE } from '../model/key.ts';
import { NO_PREFERENCES, type Preferences } from '../model/records/preferences.ts';

/** The preferences of the users who set some. */
export class PreferencesOfUsers {
  private readonly by_user = new Map<number, Preferences<Key>>();

  get size(): number {
    return this.by_user.size;
  }

  /** Undefined for users who set none, and for NONE. */
  of(user: number): Preferences<Key> | undefined {
    return user === NONE ? undefined : this.by_user.get(user);
  }

  /** Whether pages may use what the user did. */
  isPersonalised(user: number): boolean {
    return this.of(user)?.personalised !== false;
  }

  set(user: number, preferences: Preferences<Key>): void {
    if (Bun.deepEquals(preferences, NO_PREFERENCES)) this.by_user.delete(user);
    else this.by_user.set(user, preferences);
  }

  erase(user: number): void {
    this.by_user.delete(user);
  }
}
