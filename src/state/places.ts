import { parsePlace } from '../plugin/index.ts';
import { grown } from './growable.ts';

/** Steps of a degree: the seventh decimal, a centimetre. */
const STEPS = 1e7;
/** What is added to a coordinate in steps, so that all are positive and 0 stands for none. */
const LATITUDE_ZERO = 90 * STEPS + 1;
const LONGITUDE_ZERO = 180 * STEPS + 1;

/** Latitude and longitude by ordinal, degrees to seven decimals; NaN where none is known. 8 bytes each. */
export class Places {
  private latitudes = new Uint32Array(64);
  private longitudes = new Uint32Array(64);

  latitude(ordinal: number): number {
    return degrees(this.latitudes, ordinal, LATITUDE_ZERO);
  }

  longitude(ordinal: number): number {
    return degrees(this.longitudes, ordinal, LONGITUDE_ZERO);
  }

  /** @param text `<latitude>,<longitude>`, undefined for none */
  set(ordinal: number, text: string | undefined): void {
    const place = text === undefined ? undefined : parsePlace(text);
    if (place === undefined) {
      if (ordinal >= this.latitudes.length) return;
      this.latitudes[ordinal] = 0;
      this.longitudes[ordinal] = 0;
      return;
    }
    this.latitudes = grown(this.latitudes, ordinal + 1);
    this.longitudes = grown(this.longitudes, ordinal + 1);
    this.latitudes[ordinal] = Math.round(place.latitude * STEPS) + LATITUDE_ZERO;
    this.longitudes[ordinal] = Math.round(place.longitude * STEPS) + LONGITUDE_ZERO;
  }
}

function degrees(steps: Uint32Array, ordinal: number, zero: number): number {
  const held = ordinal >= 0 && ordinal < steps.length ? steps[ordinal] : 0;
  return held === 0 ? Number.NaN : (held - zero) / STEPS;
}
