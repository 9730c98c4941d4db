import { lostDigits } from '../plugin/json-digits.ts';
import { type Element, ElementCutter } from './elements.ts';
import { cutOffBytes, Decoder, joinedBytes, lossyUtf8In } from './encodings.ts';
import { isBlank, LineQueue } from './line-queue.ts';
import { jsonRow, type Row, type RowSource } from './row.ts';

/** The rows of a file with an object of JSON on each line. Lines of `null` are left out. */
export class JsonLines implements RowSource {
  private readonly lines: LineQueue;

  /** @param notes gets what is recognised */
  constructor(notes: string[]) {
    this.lines = new LineQueue(notes);
  }

  push(bytes: Uint8Array): void {
    this.lines.push(bytes);
  }

  end(): void {
    this.lines.end();
  }

  next(): Row | undefined {
    for (let text = this.lines.peek(0); text !== undefined; text = this.lines.peek(0)) {
      this.lines.take(1);
      const line = this.lines.taken;
      if (typeof text !== 'string') return { line, text: text.text, fault: text.reason };
      const row = isBlank(text) ? undefined : jsonRow(line, text);
      if (row !== undefined) return row;
    }
    return undefined;
  }
}

/** What stands for bytes that are not valid. */
const REPLACED = '\ufffd';

/** The start of a document whose rows are an array: an array of objects, or columns and rows of a query. */
const ARRAY = /^\s*\[\s*\{/;
const RESULT =
  /^\s*\{.*?"columns"\s*:\s*(?<columns>\[(?:[^\]"]|"(?:[^"\\]|\\.)*")*\]).*?"rows"\s*:\s*(?=\[)/s;

/** The rows of a file that is one array of JSON, or the result of a query. */
export class JsonElements implements RowSource {
  private readonly decoder: Decoder;
  /** Bytes of a character that goes on in the next piece. */
  private unfinished = new Uint8Array(0);
  private has_invalid = false;
  private elements: Element[] = [];
  private at = 0;

  private constructor(
    private readonly cutter: ElementCutter,
    /** Characters before the array that are left out. */
    private skipped: number,
    private readonly columns: readonly string[] | undefined,
    notes: string[],
  ) {
    this.decoder = new Decoder(notes);
  }

  /** @param notes gets what is recognised @returns undefined for a file of another form */
  static of(start: Uint8Array, notes: string[]): JsonElements | undefined {
    const text = new TextDecoder().decode(start);
    if (ARRAY.test(text)) {
      notes.push('the file is an array of JSON');
      return new JsonElements(new ElementCutter(1, false), 0, undefined, notes);
    }
    const [before = '', columns] = RESULT.exec(text) ?? [];
    if (columns === undefined) return undefined;
    notes.push('the file has the columns and rows of a query');
    const cutter = new ElementCutter(before.split('\n').length, true);
    const names: unknown[] = JSON.parse(columns);
    return new JsonElements(cutter, before.length, names.map(String), notes);
  }

  push(bytes: Uint8Array): void {
    const given = this.unfinished.length === 0 ? bytes : joinedBytes([this.unfinished, bytes]);
    const end = given.length - cutOffBytes(given);
    this.unfinished = given.slice(end);
    this.cut(given.subarray(0, end));
  }

  end(): void {
    this.cut(this.unfinished);
    this.add(this.cutter.end());
  }

  private cut(bytes: Uint8Array): void {
    const valid = this.decoder.decode(bytes);
    this.has_invalid ||= valid === undefined;
    const text = valid ?? lossyUtf8In(bytes);
    this.add(this.cutter.push(text.slice(this.skipped)));
    this.skipped = Math.max(0, this.skipped - text.length);
  }

  next(): Row | undefined {
    while (this.at < this.elements.length) {
      const { line, text, fault = this.faultIn(text) } = this.elements[this.at++];
      const row = fault === undefined ? this.rowOf(line, text) : { line, text, fault };
      if (row !== undefined) return row;
    }
    return undefined;
  }

  private faultIn(text: string): string | undefined {
    return this.has_invalid && text.includes(REPLACED) ? 'the element is not valid UTF-8' : undefined;
  }

  private add(more: Element[]): void {
    this.elements = [...this.elements.slice(this.at), ...more];
    this.at = 0;
  }

  private rowOf(line: number, text: string): Row | undefined {
    const { columns } = this;
    if (columns === undefined) return jsonRow(line, text);
    const row = jsonRow(line, `{"row":${text}}`);
    const cells = row?.value?.row;
    if (row?.fault !== undefined) return { line, text, fault: row.fault };
    if (!Array.isArray(cells)) return { line, text, fault: 'record: expected an array of cells' };
    const sources = lostDigits(cells);
    const valueAt = (at: number): unknown => sources.get(String(at)) ?? cells[at];
    return { line, text, value: Object.fromEntries(columns.map((name, at) => [name, valueAt(at)])) };
  }
}
