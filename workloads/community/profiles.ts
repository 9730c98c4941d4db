/** The user records. */

import type { Random } from '../../src/clock.ts';
import { hash32, hexAddress, pick, STREAM, shuffle, stream } from './chance.ts';
import { interestsOf, type People } from './people.ts';
import type { CommunityOptions, UserRecordInput } from './records.ts';
import { PHRASEBOOKS } from './texts/phrasebook.ts';
import surnames from './texts/surnames.json' with { type: 'json' };
import { LANGUAGES, type Language, TOPICS } from './topics.ts';

const DAY_SECONDS = 86_400;
const FIRST_USER_ID = 1_000;
const WALLETS = 101;
/** All users except newcomers joined within this time before the history. */
const JOINED_WITHIN_DAYS = 700;
const NEWCOMER_WITHIN_DAYS = 2;
const GIVEN_COUNT = 12;

export function userId(user: number): string {
  return String(FIRST_USER_ID + user);
}

/** The time at which a user joined, in whole seconds. It is hashed, so it can be computed in any order. */
export function joinedAt(options: CommunityOptions, people: People, user: number): number {
  const draw = hash32(options.seed ^ 0x5bd1e995, user) / 2 ** 32;
  if (people.newcomer[user] === 1) {
    return Math.floor(options.now - draw * Math.min(NEWCOMER_WITHIN_DAYS, options.days) * DAY_SECONDS);
  }
  return Math.floor(options.now - (options.days + draw * JOINED_WITHIN_DAYS) * DAY_SECONDS);
}

/** `<latitude>,<longitude>` within about 20 km of a city. */
export function placeNear(language: Language, random: Random): string {
  const [latitude, longitude] = pick(random, PHRASEBOOKS[language].cities);
  const north = latitude + (random() - 0.5) * 0.3;
  const east = longitude + (random() - 0.5) * 0.3;
  return `${north.toFixed(3)},${east.toFixed(3)}`;
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** Each pair of given name and surname is used once. Then pairs repeat with a number. */
class Names {
  private readonly pairs: Uint32Array;

  constructor(private readonly random: Random) {
    this.pairs = Uint32Array.from({ length: GIVEN_COUNT * surnames.length }, (_, index) => index);
    shuffle(random, this.pairs);
  }

  of(user: number, language: Language): { username: string; display_name: string } {
    const pair = this.pairs[user % this.pairs.length];
    const given = PHRASEBOOKS[language].given_names[pair % GIVEN_COUNT];
    const surname = surnames[Math.floor(pair / GIVEN_COUNT)];
    const round = Math.floor(user / this.pairs.length);
    const username = `${given}${this.random() < 0.7 ? '_' : '.'}${surname}${round > 0 ? `_${round}` : ''}`;
    const full_name = `${capitalised(given)} ${capitalised(surname)}`;
    return { username, display_name: this.random() < 0.7 ? full_name : capitalised(given) };
  }
}

/** All user records, by ordinal. */
export function* userRecords(options: CommunityOptions, people: People): Iterable<UserRecordInput> {
  const random = stream(options.seed, STREAM.profiles);
  const names = new Names(random);
  for (let user = 0; user < people.count; user++) {
    const language = LANGUAGES[people.language[user]];
    const record: UserRecordInput = {
      user_id: userId(user),
      wallet_addresses: [hexAddress(options.seed, WALLETS, user)],
      created_at: joinedAt(options, people, user),
    };
    if (random() < 0.8) record.geo_location = placeNear(language, random);
    if (options.text) {
      Object.assign(record, names.of(user, language));
      record.pfp_url = `https://picsum.photos/seed/${userId(user)}/200`;
      const interests = Array.from(interestsOf(people, user), (topic) => TOPICS[topic]);
      record.metadata = { interests, language };
    }
    yield record;
  }
}
