import { parsePlace } from '../plugin/index.ts';
import { grown } from './growable.ts';

/** Latitude and longitude by ordinal, degrees; NaN where none is known. 16 bytes each. */
export class Places {
  private latitudes = new Float64Array(64).fill(Number.NaN);
  private longitudes = new Float64Array(64).fill(Number.NaN);

  latitude(ordinal: number): number {
    return ordinal >= 0 && ordinal < this.latitudes.length ? this.latitudes[ordinal] : Number.NaN;
  }

  longitude(ordinal: number): number {
    return ordinal >= 0 && ordinal < this.longitudes.length ? this.longitudes[ordinal] : Number.NaN;
  }

  /** @param text `<latitude>,<longitude>`, undefined for none */
  set(ordinal: number, text: string | undefined): void {
    const place = text === undefined ? undefined : parsePlace(text);
    if (place === undefined && Number.isNaN(this.latitude(ordinal))) return;
    this.latitudes = withNaN(this.latitudes, ordinal + 1);
    this.longitudes = withNaN(this.longitudes, ordinal + 1);
    this.latitudes[ordinal] = place?.latitude ?? Number.NaN;
    this.longitudes[ordinal] = place?.longitude ?? Number.NaN;
  }
}

function withNaN(array: Float64Array<ArrayBuffer>, length: number): Float64Array<ArrayBuffer> {
  const larger = grown(array, length);
  return larger === array ? array : larger.fill(Number.NaN, array.length);
}
