import { Type } from '@sinclair/typebox';
import { EARTH_RADIUS_KM, RADIANS } from './earth.ts';
import { InvalidOptions, readEach } from './invalid-options.ts';
import { listOf } from './list-of.ts';
import type { Ordinal } from './ordinal.ts';
import type { RequestContext } from './request-context.ts';
import { distanceKm, type Place, parsePlace } from './values.ts';

const FORM = '"<latitude>,<longitude>" in decimal degrees, within ±90 and ±180';

const PLACES_MAX = 1_000;

/** Options of filters on places. */
export const PlaceList = listOf(
  Type.String({ description: FORM }),
  `places, each ${FORM}`,
  ['34.05,-118.24'],
  PLACES_MAX,
);

/** Kilometres per degree of latitude, rounded down to less than the minimum. */
const KM_PER_DEGREE = 110.5;

/** Tolerance of the quick comparison of two places. Places within it are measured exactly. */
const SLACK = 1e-9;

/**
 * Makes a filter for items within the service's radius of at least one place (great-circle distance).
 *
 * An item without a location has its author's location. Items without either are near no place. An item is compared
 * only with places of similar latitude. Cost: O(log of the number of places), plus about 2 ns per compared place.
 * @throws InvalidOptions for a malformed place
 */
export function nearAny(texts: readonly string[]): (request: RequestContext) => (item: Ordinal) => boolean {
  const places = readEach(texts, (text) => {
    const place = parsePlace(text);
    if (place === undefined) throw new InvalidOptions(`'${text.slice(0, 64)}' is not ${FORM}`);
    return place;
  });
  const sorted = new PlacesByLatitude(places);
  return (request) => {
    const radius_km = request.defaults.geo_radius_km;
    const least_cosine = cosineOf(radius_km) - SLACK;
    return (item) => {
      const latitude = request.item.latitude(item);
      if (Number.isNaN(latitude)) return false;
      return sorted.hasNear(latitude, request.item.longitude(item), radius_km, least_cosine);
    };
  };
}

/** The cosine of the angle that a distance spans at the Earth's centre. −1 for half the circumference and more. */
function cosineOf(distance_km: number): number {
  return Math.cos(Math.min(Math.PI, distance_km / EARTH_RADIUS_KM));
}

/** Places as points on the unit sphere. The cosine of the angle between two points is then a dot product. */
class PlacesByLatitude {
  private readonly places: readonly Place[];
  private readonly latitudes: Float64Array;
  private readonly points: Float64Array;

  constructor(places: readonly Place[]) {
    this.places = places.toSorted((one, other) => one.latitude - other.latitude);
    this.latitudes = Float64Array.from(this.places, ({ latitude }) => latitude);
    this.points = Float64Array.from(this.places.flatMap(pointOf));
  }

  /** @param least_cosine the cosine is at least this value for places within the radius */
  hasNear(latitude: number, longitude: number, radius_km: number, least_cosine: number): boolean {
    const { places, latitudes, points } = this;
    const north = latitude + radius_km / KM_PER_DEGREE;
    const [x, y, z] = pointOf({ latitude, longitude });
    for (let at = this.firstFrom(latitude - radius_km / KM_PER_DEGREE); latitudes[at] <= north; at++) {
      if (x * points[3 * at] + y * points[3 * at + 1] + z * points[3 * at + 2] < least_cosine) continue;
      const place = places[at];
      if (distanceKm(place.latitude, place.longitude, latitude, longitude) <= radius_km) return true;
    }
    return false;
  }

  /** Index of the first place at or north of a latitude. */
  private firstFrom(south: number): number {
    let [low, high] = [0, this.latitudes.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.latitudes[middle] < south) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function pointOf({ latitude, longitude }: Pick<Place, 'latitude' | 'longitude'>): [number, number, number] {
  const [phi, lambda] = [latitude * RADIANS, longitude * RADIANS];
  return [Math.cos(phi) * Math.cos(lambda), Math.cos(phi) * Math.sin(lambda), Math.sin(phi)];
}
