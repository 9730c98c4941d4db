import { Type } from '@sinclair/typebox';
import { EARTH_RADIUS_KM, RADIANS } from './earth.ts';
import { InvalidOptions, readEach } from './invalid-options.ts';
import { listOf } from './list-of.ts';
import type { Ordinal } from './ordinal.ts';
import type { RequestContext } from './request-context.ts';
import { distanceKm, type Place, parsePlace } from './values.ts';

const FORM = '"<latitude>,<longitude>" in decimal degrees, within ±90 and ±180';

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

/** How far the quick comparison of two places may be wrong: what it lets through is measured. */
const SLACK = 1e-9;

/**
 * Whether an item, else its author, is within the service's radius of any of the places, great-circle.
 * Items without a place are near nothing. An item is compared with the places of about its latitude only: O(log of all places),
 * and two nanoseconds for each of those.
 * @throws InvalidOptions for what is not a place
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
      const latitude = request.latitude(item);
      if (Number.isNaN(latitude)) return false;
      return sorted.hasNear(latitude, request.longitude(item), radius_km, least_cosine);
    };
  };
}

/** The cosine of an angle at the Earth's centre, given as a distance; −1 for half of the globe and more. */
function cosineOf(distance_km: number): number {
  return Math.cos(Math.min(Math.PI, distance_km / EARTH_RADIUS_KM));
}

/** Places as points on the unit sphere, where the cosine of the angle between two is three products. */
class PlacesByLatitude {
  private readonly places: readonly Place[];
  private readonly latitudes: Float64Array;
  private readonly points: Float64Array;

  constructor(places: readonly Place[]) {
    this.places = places.toSorted((one, other) => one.latitude - other.latitude);
    this.latitudes = Float64Array.from(this.places, ({ latitude }) => latitude);
    this.points = Float64Array.from(this.places.flatMap(pointOf));
  }

  /** @param least_cosine no smaller for places within the radius */
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

  /** The first place that does not lie south of a latitude. */
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
