import { EARTH_RADIUS_KM, RADIANS } from './earth.ts';

/**
 * The normal forms of values that feeds are filtered by. Items are stored in these forms, so a filter that
 * normalises its options compares plain strings. Each function gives undefined for what has no such form.
 */

/** Bytes of a host name (RFC 1035). */
const DOMAIN_LENGTH_MAX = 253;
const URL_LENGTH_MAX = 4096;

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
