import { Type } from '@sinclair/typebox';
import { InvalidOptions, readEach } from './invalid-options.ts';
import { listOf } from './list-of.ts';
import type { Ordinal } from './ordinal.ts';
import type { RequestContext } from './request-context.ts';
import { distanceKm, parsePlace } from './values.ts';

const FORM = '"<latitude>,<longitude>" in decimal degrees, within ±90 and ±180';

/** Every item is compared with every place. */
const PLACES_MAX = 1_000;

/** Options of filters over places. */
export const PlaceList = listOf(
  Type.String({ description: FORM }),
  `places, each ${FORM}`,
  ['34.05,-118.24'],
  PLACES_MAX,
);

/** Kilometres of one degree of latitude, a little less than the least. */
const KM_PER_DEGREE = 110.5;

/**
 * Whether an item, else its author, is within the service's radius of any of the places, great-circle.
 * Items without a place are near nothing.
 * @throws InvalidOptions for what is not a place
 */
export function nearAny(texts: readonly string[]): (request: RequestContext) => (item: Ordinal) => boolean {
  const places = readEach(texts, (text) => {
    const place = parsePlace(text);
    if (place === undefined) throw new InvalidOptions(`'${text.slice(0, 64)}' is not ${FORM}`);
    return place;
  });
  return (request) => {
    const radius_km = request.defaults.geo_radius_km;
    return (item) => {
      const latitude = request.latitude(item);
      if (Number.isNaN(latitude)) return false;
      const longitude = request.longitude(item);
      return places.some(
        (place) =>
          Math.abs(place.latitude - latitude) * KM_PER_DEGREE <= radius_km &&
          distanceKm(place.latitude, place.longitude, latitude, longitude) <= radius_km,
      );
    };
  };
}
