import { grown } from '../columns/growable.ts';
import { parsePlace } from '../plugin/index.ts';

/** Steps per degree: seven decimals, about a centimetre. */
const STEPS = 1e7;
/** Offsets in steps, so that coordinates are positive and 0 means none. */
const LATITUDE_ZERO = 90 * STEPS + 1;
const LONGITUDE_ZERO = 180 * STEPS + 1;

/** Latitudes and longitudes by ordinal, in degrees to seven decimals. NaN if unknown. 8 bytes each. */
export class Places {
  private latitudes = new Uint32Array(64);
  private longitudes = new Uint32Array(64);

  latitude(ordinal: number): number {
    return degrees(this.latitudes, ordinal, LATITUDE_ZERO);
  }

  longitude(ordinal: number): number {
    return degrees(this.longitudes, ordinal, LONGITUDE_ZERO);
  }

  /** @param text `<latitude>,<longitude>`, or undefined for none */
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
