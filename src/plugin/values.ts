import { EARTH_RADIUS_KM, RADIANS } from './earth.ts';

/**
 * Normal forms of the values that feeds are filtered by.
 *
 * Items are stored with these forms, so a filter that normalises its options can compare strings. Each function
 * returns undefined for a value without a normal form.
 */

/** Maximum length of a host name in bytes (RFC 1035). */
const DOMAIN_LENGTH_MAX = 253;
const URL_LENGTH_MAX = 4096;

/** The authority of a URL: no path and no spaces. Crawlers leave ports and even user names in it. */
const AUTHORITY = /^[^\s/?#\\]+$/;

/** Parts that no host name has: an empty label, and the wildcard for subdomains. */
const NO_HOST = /\.\.|\*/;

/**
 * Returns the host of an http(s) URL in lower case, with IDN in ASCII form, without port.
 *
 * Dots at either end are removed (cookies write `.example.com` for a domain with its subdomains). A leading `www.`
 * stays, since domain filters match subdomains.
 */
export function domainOfUrl(url: string): string | undefined {
  const parsed = URL.parse(url);
  if (parsed === null || (parsed.protocol !== 'https:' && parsed.protocol !== 'http:')) return undefined;
  const host = parsed.hostname.replace(/^\.+/, '').replace(/\.+$/, '');
  return host === '' || host.length > DOMAIN_LENGTH_MAX || NO_HOST.test(host) ? undefined : host;
}

/** Normalises a domain, or takes the host of a full URL. */
export function normaliseDomain(text: string): string | undefined {
  if (text.length > URL_LENGTH_MAX) return undefined;
  if (text.includes('://')) return domainOfUrl(text);
  return AUTHORITY.test(text) ? domainOfUrl(`http://${text}`) : undefined;
}

/**
 * Plurals that are mapped to the singular. All other names stay as they are, in lower case.
 *
 * A final `s` alone is not enough: `music` and `news` are singular.
 */
const PLURAL =
  /^(article|audio|document|embed|event|frame|gif|image|link|livestream|nft|photo|podcast|poll|quote|space|text|thread|token|video)s$/;

/** Converts a publication type to lower case and singular. */
export function normalisePublicationType(name: string): string {
  return name.toLowerCase().replace(PLURAL, '$1');
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

/** Parses `<latitude>,<longitude>` in decimal degrees. Undefined if malformed or out of range. */
export function parsePlace(text: string): Place | undefined {
  const parts = PLACE.exec(text);
  if (parts === null) return undefined;
  const latitude = Number(parts[1]);
  const longitude = Number(parts[2]);
  if (Math.abs(latitude) > 90 || Math.abs(longitude) > 180) return undefined;
  return { latitude, longitude, text: `${parts[1]},${parts[2]}` };
}

/** Great-circle distance in kilometres (haversine) of two places in degrees. NaN if a coordinate is NaN. */
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
