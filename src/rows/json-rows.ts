import { lostDigits } from '../plugin/json-digits.ts';
import { type Element, ElementCutter } from './elements.ts';
import { isWindows1252 } from './encodings.ts';
import { isBlank, LineQueue, WINDOWS_1252 } from './line-queue.ts';
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

/** The start of a document whose rows are an array: an array of objects, or columns and rows of a query. */
const ARRAY = /^\s*\[\s*\{/;
const RESULT =
  /^\s*\{.*?"columns"\s*:\s*(?<columns>\[(?:[^\]"]|"(?:[^"\\]|\\.)*")*\]).*?"rows"\s*:\s*(?=\[)/s;

/** The rows of a file that is one array of JSON, or the result of a query. */
export class JsonElements implements RowSource {
  private readonly decoder: TextDecoder;
  private elements: Element[] = [];
  private at = 0;

  private constructor(
    private readonly cutter: ElementCutter,
    start: Uint8Array,
    /** Characters before the array that are left out. */
    private skipped: number,
    private readonly columns: readonly string[] | undefined,
    notes: string[],
  ) {
    const is_windows_1252 = isWindows1252(start);
    this.decoder = new TextDecoder(is_windows_1252 ? 'windows-1252' : 'utf-8');
    if (is_windows_1252) notes.push(WINDOWS_1252);
  }

  /** @param notes gets what is recognised @returns undefined for a file of another form */
  static of(start: Uint8Array, notes: string[]): JsonElements | undefined {
    const text = new TextDecoder().decode(start);
    if (ARRAY.test(text)) {
      notes.push('the file is an array of JSON');
      return new JsonElements(new ElementCutter(1, false), start, 0, undefined, notes);
    }
    const [before = '', columns] = RESULT.exec(text) ?? [];
    if (columns === undefined) return undefined;
    notes.push('the file has the columns and rows of a query');
    const cutter = new ElementCutter(before.split('\n').length, true);
    const names: unknown[] = JSON.parse(columns);
    return new JsonElements(cutter, start, before.length, names.map(String), notes);
  }

  push(bytes: Uint8Array): void {
    const text = this.decoder.decode(bytes, { stream: true });
    this.add(this.cutter.push(text.slice(this.skipped)));
    this.skipped = Math.max(0, this.skipped - text.length);
  }

  end(): void {
    this.add(this.cutter.push(this.decoder.decode()));
    this.add(this.cutter.end());
  }

  next(): Row | undefined {
    while (this.at < this.elements.length) {
      const { line, text, fault } = this.elements[this.at++];
      const row = fault === undefined ? this.rowOf(line, text) : { line, text, fault };
      if (row !== undefined) return row;
    }
    return undefined;
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
