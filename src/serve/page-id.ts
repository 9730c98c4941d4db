import type { Seconds } from '../clock.ts';
import { ByteReader, ByteWriter } from '../columns/bytes.ts';
import { ServiceError } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import { NO_SIGNALS, readShownPage, type ShownPage, writeShownPage } from '../model/shown-page.ts';
import { Signer, signedLength } from './signer.ts';

/** What the id of a page says of it. */
export interface SentPage {
  /** As it is recorded, below 2^48. */
  page_id: number;
  /** The variant of an experiment, or `NO_ARM`. */
  arm: number;
  /** Whether it was shorter than requested. */
  is_short: boolean;
  /** Whether the page is logged when it is reported, not when it was sent. */
  is_logged_late: boolean;
  page: ShownPage;
  /** Of interleaved variants, for each item the number of the one that chose it, or 0. Otherwise empty. */
  teams: Uint8Array;
}

/** The first byte of the id. Another layout needs another number. */
const LAYOUT = 1;

/** Makes and reads ids of pages, which contain all that a report of the page needs. Nothing is stored for an id. */
export class PageSigner {
  private readonly signer: Signer;

  /** @param secret see `Signer` */
  constructor(secret: Uint8Array) {
    this.signer = new Signer(secret);
  }

  /** Of a very long page, signals and then the last items may be left out, see `LIMITS.page_id_length_max`. @param viewer a hash */
  write(viewer: string, sent: SentPage): string {
    const has_teams = sent.teams.length > 0;
    for (let { page } = sent; ; page = shortened(page)) {
      const writer = new ByteWriter();
      writer.byte(LAYOUT);
      writer.uint48(sent.page_id);
      writer.varint(sent.arm);
      writer.byte(Number(sent.is_logged_late) + 2 * Number(sent.is_short) + 4 * Number(has_teams));
      writeShownPage(writer, page);
      if (has_teams) writer.raw(sent.teams.subarray(0, page.items.length));
      if (signedLength(writer.length) <= LIMITS.page_id_length_max)
        return this.signer.sign(ownerOf(viewer), writer.result());
    }
  }

  /**
   * @param path of the id in the request, for errors
   * @throws ServiceError `page_invalid` unless it was made for this viewer in the last day
   */
  read(viewer: string, text: string, now: Seconds, path: string): SentPage {
    const bytes = this.signer.verified(ownerOf(viewer), text, LIMITS.page_id_length_max);
    const reader = bytes && new ByteReader(bytes);
    if (reader?.byte() !== LAYOUT)
      throw invalid(
        path,
        'it is damaged, or it belongs to a page of another viewer than the one of this report',
      );
    const [page_id, arm, flags] = [reader.uint48(), reader.varint(), reader.byte()];
    const [is_logged_late, is_short] = [(flags & 1) !== 0, (flags & 2) !== 0];
    const page = readShownPage(reader);
    // A time ahead of the clock is valid: clocks of nodes differ.
    if (now - page.time > LIMITS.page_id_seconds)
      throw invalid(path, `its page was built more than ${LIMITS.page_id_seconds / 3600} hours ago`);
    const teams = (flags & 4) === 0 ? new Uint8Array() : reader.raw(page.items.length);
    return { page_id, arm, is_short, is_logged_late, page, teams };
  }
}

/** The items of a page at some places of its list, in order. */
export function partOf(page: ShownPage, places: readonly number[]): ShownPage {
  const { length: signals } = page.signals;
  return {
    ...page,
    items: Uint32Array.from(places, (at) => page.items[at]),
    slots: Uint16Array.from(places, (at) => page.slots[at]),
    origins: Uint8Array.from(places, (at) => page.origins[at]),
    signal_values: Uint8Array.from(
      places.flatMap((at) => [...page.signal_values.subarray(at * signals, (at + 1) * signals)]),
    ),
  };
}

/** A page as it is logged if it is not learnt from. */
export function withoutSignals(page: ShownPage): ShownPage {
  return { ...page, ...NO_SIGNALS, learning: undefined };
}

function shortened(page: ShownPage): ShownPage {
  return page.learning === undefined
    ? firstOf(page, Math.floor(0.9 * page.items.length))
    : withoutSignals(page);
}

function firstOf(page: ShownPage, count: number): ShownPage {
  return partOf(page, [...page.items.keys()].slice(0, count));
}

/** Cursors have owners with other beginnings. */
function ownerOf(viewer: string): string {
  return JSON.stringify(['page', viewer]);
}

function invalid(path: string, reason: string): ServiceError {
  return new ServiceError(
    'page_invalid',
    `${path}: ${reason}; send the page_id of an answer unchanged, or leave it out`,
  );
}
