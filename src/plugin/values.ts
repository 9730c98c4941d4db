import { InvalidOptions } from './invalid-options.ts';

/**
 * The normal forms of values that feeds are filtered by. Items are stored in these forms, so a filter that
 * normalises its options compares plain strings. Each function gives undefined for what has no such form.
 */

/** Bytes of a host name (RFC 1035). */
const DOMAIN_LENGTH_MAX = 253;
const URL_LENGTH_MAX = 2048;

/** A URL's authority: no path, no spaces. Crawlers leave ports and even users in it. */
const AUTHORITY = /^[^\s/?#\\]+$/;

/** What no host has inside: a part without a name, and the sign that elsewhere means any subdomain. */
const NO_HOST = /\.\.|\*/;

/**
 * The host of an http(s) URL: lower case, IDN in its ASCII form, without port and without dots at either end
 * (`.example.com` is how cookies write example.com with its subdomains). A leading `www.` stays, since a domain
 * filter matches subdomains.
 */
export function domainOfUrl(url: string): string | undefined {
  const parsed = URL.parse(url);
  if (parsed === null || (parsed.protocol !== 'https:' && parsed.protocol !== 'http:')) return undefined;
  const host = parsed.hostname.replace(/^\.+/, '').replace(/\.+$/, '');
  return host === '' || host.length > DOMAIN_LENGTH_MAX || NO_HOST.test(host) ? undefined : host;
}

/** A domain as given, or the host of a full URL. */
export function normaliseDomain(text: string): string | undefined {
  if (text.length > URL_LENGTH_MAX) return undefined;
  if (text.includes('://')) return domainOfUrl(text);
  return AUTHORITY.test(text) ? domainOfUrl(`http://${text}`) : undefined;
}

/** A primary subtag of ISO 639 and any further subtags; the registry itself is not consulted. */
const LANGUAGE_TAG = /^[a-z]{2,3}(?:-[a-z0-9]{1,8}){0,8}$/;

/** A language tag of BCP 47 in lower case: `en`, `pt-br`, `zh-hant-tw`. */
export function normaliseLanguage(tag: string): string | undefined {
  const lower = tag.toLowerCase();
  return LANGUAGE_TAG.test(lower) ? lower : undefined;
}

/** The primary subtag of a tag in normal form: `pt` of `pt-br`. */
export function primaryLanguage(tag: string): string {
  return tag.split('-', 1)[0];
}

/**
 * Plurals that stand for a publication type; every other name is kept, in lower case. `music` and `news` are
 * names of their own, so a final `s` alone decides nothing.
 */
const PUBLICATION_TYPE_PLURALS: ReadonlyMap<string, string> = new Map([
  ['articles', 'article'],
  ['audios', 'audio'],
  ['documents', 'document'],
  ['embeds', 'embed'],
  ['events', 'event'],
  ['frames', 'frame'],
  ['gifs', 'gif'],
  ['images', 'image'],
  ['links', 'link'],
  ['livestreams', 'livestream'],
  ['nfts', 'nft'],
  ['photos', 'photo'],
  ['podcasts', 'podcast'],
  ['polls', 'poll'],
  ['quotes', 'quote'],
  ['spaces', 'space'],
  ['texts', 'text'],
  ['threads', 'thread'],
  ['tokens', 'token'],
  ['videos', 'video'],
]);

/** A publication type in lower case and in the singular. */
export function normalisePublicationType(name: string): string {
  const lower = name.toLowerCase();
  return PUBLICATION_TYPE_PLURALS.get(lower) ?? lower;
}

const PLACE = /^\s*(-?\d{1,3}(?:\.\d{1,20})?)\s*,\s*(-?\d{1,3}(?:\.\d{1,20})?)\s*$/;

export interface Place {
  /** degrees, −90 to 90 */
  latitude: number;
  /** degrees, −180 to 180 */
  longitude: number;
  /** `<latitude>,<longitude>` with the digits as given, without spaces */
  text: string;
}

/** A place from `<latitude>,<longitude>` in decimal degrees. */
export function parsePlace(text: string): Place | undefined {
  const parts = PLACE.exec(text);
  if (parts === null) return undefined;
  const latitude = Number(parts[1]);
  const longitude = Number(parts[2]);
  if (Math.abs(latitude) > 90 || Math.abs(longitude) > 180) return undefined;
  return { latitude, longitude, text: `${parts[1]},${parts[2]}` };
}

/** Mean radius of the Earth, kilometres. */
const EARTH_RADIUS_KM = 6371.0088;
const RADIANS = Math.PI / 180;

/** Great-circle distance in kilometres (haversine); degrees in. NaN when a coordinate is NaN. */
export function distanceKm(
  latitude_1: number,
  longitude_1: number,
  latitude_2: number,
  longitude_2: number,
): number {
  const half_latitude = Math.sin(((latitude_2 - latitude_1) * RADIANS) / 2);
  const half_longitude = Math.sin(((longitude_2 - longitude_1) * RADIANS) / 2);
  const chord =
    half_latitude * half_latitude +
    Math.cos(latitude_1 * RADIANS) * Math.cos(latitude_2 * RADIANS) * half_longitude * half_longitude;
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.min(1, Math.sqrt(chord)));
}

const ISO_8601 =
  /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(?:Z|([+-])(\d{2})(?::?(\d{2}))?)?)?$/;

/** 146,097 days, after which the Gregorian calendar begins anew. */
const SECONDS_OF_400_YEARS = 146_097 * 86_400;

/**
 * Seconds since the Unix epoch of an ISO 8601 date or date-time, negative before 1970. A date is its first
 * instant in UTC; a date-time without a zone is UTC. `'form'`: not of that form; `'calendar'`: no such day
 * or time of day.
 */
export function parseIsoTime(text: string): number | 'form' | 'calendar' {
  const parts = ISO_8601.exec(text);
  return parts === null ? 'form' : (fromParts(parts) ?? 'calendar');
}

function fromParts(parts: RegExpExecArray): number | undefined {
  const year = Number(parts[1]);
  const month = Number(parts[2]);
  const day = Number(parts[3]);
  const hour = Number(parts[4] ?? 0);
  const minute = Number(parts[5] ?? 0);
  const second = Number(parts[6] ?? 0);
  const fraction = parts[7] === undefined ? 0 : Number(`0.${parts[7]}`);
  const zone_hours = Number(parts[9] ?? 0);
  const zone_minutes = Number(parts[10] ?? 0);
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return undefined;
  if (hour > 23 || minute > 59 || second > 59 || zone_hours > 23 || zone_minutes > 59) return undefined;
  // Date.UTC takes the years 0 to 99 for 1900 to 1999: those are looked for 400 years later, where the calendar repeats.
  const later = year < 100 ? 1 : 0;
  const whole = Date.UTC(year + later * 400, month - 1, day, hour, minute, second) / 1000;
  const ahead = (parts[8] === '-' ? -1 : 1) * (zone_hours * 3600 + zone_minutes * 60);
  return whole - later * SECONDS_OF_400_YEARS + fraction - ahead;
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** Numbers above this are taken for milliseconds. */
const EPOCH_SECONDS_MAX = 1e11;
const SECONDS_OF = { days: 86_400, hours: 3_600 };
const RELATIVE_TIME = /^(days|hours)_ago:(\d{1,15})$/;

/** What `parseMoment` takes, in words. */
export const MOMENT_FORMS = 'days_ago:<n>, hours_ago:<n>, seconds since the epoch, or an ISO 8601 time';

/**
 * A moment (seconds) as of a request: `days_ago:<n>`, `hours_ago:<n>`, epoch seconds as a number or text, or
 * ISO 8601, which may be before 1970 (then it is negative). Only the first two look at the request's time.
 * @throws InvalidOptions
 */
export function parseMoment(value: string | number): (request: { readonly now: number }) => number {
  const relative = typeof value === 'string' ? RELATIVE_TIME.exec(value) : null;
  if (relative !== null) {
    const ago = Number(relative[2]) * SECONDS_OF[relative[1] === 'days' ? 'days' : 'hours'];
    return (request) => request.now - ago;
  }
  const numeric = typeof value === 'number' || /^\d+(\.\d+)?$/.test(value);
  const seconds = numeric ? Number(value) : parseIsoTime(value);
  if (seconds === 'calendar') throw new InvalidOptions('this date or time of day does not exist');
  if (seconds === 'form' || !Number.isFinite(seconds) || (numeric && seconds < 0)) {
    throw new InvalidOptions(`must be ${MOMENT_FORMS}`);
  }
  if (numeric && seconds > EPOCH_SECONDS_MAX) {
    throw new InvalidOptions('expected seconds, this looks like milliseconds');
  }
  return () => seconds;
}

/** Whether a moment moves with the request's time. */
export function isRelativeMoment(value: string | number): boolean {
  return typeof value === 'string' && RELATIVE_TIME.test(value);
}
