import { batch, signal } from '@preact/signals';

export interface Choice {
  value: string;
  /** Default: the value. */
  text?: string;
  /** Tells it from others, or what people want to know before they choose it. */
  note?: string;
}

export interface LookUpOptions {
  /** The choices for a text, best first. Undefined: the values are not known, so they are only typed. */
  search?: (typed: string, signal: AbortSignal) => readonly Choice[] | Promise<readonly Choice[]>;
  /** Offered first while nothing is typed. */
  pinned?: readonly Choice[];
  onChoose: (value: string) => void;
  /** Whether a text that is not found is a value, too. */
  is_free?: boolean;
  /** The text of the present choice. Undefined: the field adds choices, and is empty between them. */
  shown?: string;
  /** Whether a typed text is dropped when the field loses the focus. Default: it is taken as `is_free` says. */
  drops_typed?: boolean;
}

/** A search is sent when typing has paused for this long. */
const PAUSE_MS = 100;

/** Choices that Enter has confirmed and that are still being searched for. */
const confirmed_choices = new Set<Promise<void>>();

/** Resolves when all choices that Enter has confirmed are found and taken. */
export async function choicesTaken(): Promise<void> {
  while (confirmed_choices.size > 0) await Promise.all(confirmed_choices);
}

/**
 * What is typed, found and highlighted in a look-up field. Handlers read it here and not from the last render, because
 * a key may come before the page is drawn, and an answer after the options have changed.
 */
export class LookUpState {
  /** Undefined: nothing is typed since the last choice. */
  readonly typed = signal<string>();
  readonly is_open = signal(false);
  readonly at = signal(0);
  readonly error = signal<unknown>();
  private readonly answer = signal<{ text: string; choices: readonly Choice[] }>();
  /** Ends the wait for a choice that Enter has confirmed. */
  private readonly endWait = signal<(() => void) | undefined>();
  private is_closed = false;
  private running = new AbortController();
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** @param latest the options of the last render */
  constructor(private readonly latest: { readonly current: LookUpOptions }) {}

  /** What is found, and the typed text itself if it is allowed. */
  get choices(): readonly Choice[] {
    const { is_free, pinned = [] } = this.latest.current;
    const { text: value } = this;
    const found = this.answer.value?.choices ?? [];
    if (value === '') return [...pinned, ...found];
    if (is_free !== true || found.some((choice) => choice.value === value)) return found;
    return [...found, { value, text: `“${value}”`, note: 'as typed' }];
  }

  get is_searching(): boolean {
    if (this.latest.current.search === undefined) return false;
    return !this.is_answered || this.endWait.value !== undefined;
  }

  open(): void {
    if (this.is_open.value) return;
    this.is_open.value = true;
    if (!this.is_answered) this.search(0);
  }

  type(text: string): void {
    this.stopWaiting();
    batch(() => {
      this.typed.value = text;
      this.is_open.value = true;
      this.at.value = 0;
    });
    this.search(PAUSE_MS);
    const { shown = '', drops_typed, onChoose } = this.latest.current;
    if (text === '' && shown !== '' && drops_typed !== true) onChoose('');
  }

  move(step: number): void {
    if (!this.is_open.value) {
      this.open();
      return;
    }
    const count = this.choices.length;
    if (count === 0) return;
    this.at.value = (this.at.value + step + count) % count;
  }

  /** Takes the highlighted choice. If that is the first one, waits for the answer for the typed text. */
  confirm(): void {
    if (this.endWait.value !== undefined) return;
    if (!this.is_searching || this.at.value > 0) {
      this.take(this.choices[this.at.value]?.value);
      return;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    confirmed_choices.add(promise);
    this.endWait.value = () => {
      confirmed_choices.delete(promise);
      resolve();
    };
    this.search(0);
  }

  take(value: string | undefined): void {
    if (value === undefined) return;
    const { shown, onChoose } = this.latest.current;
    // Before the call: the field may be removed by it, which takes the focus away from it.
    this.clear();
    if (value !== shown) onChoose(value);
  }

  takeTyped(): void {
    if (this.typed.value === undefined || this.endWait.value !== undefined) return;
    const { is_free } = this.latest.current;
    const { text } = this;
    this.clear();
    if (text !== '' && is_free === true) this.take(text);
  }

  /** The field loses the focus. A choice that Enter has confirmed is taken when it is found. */
  leave(): void {
    if (this.is_closed || this.endWait.value !== undefined) return;
    this.is_open.value = false;
    if (this.latest.current.drops_typed) this.clear();
    else this.takeTyped();
  }

  escape(): void {
    this.stopWaiting();
    this.is_open.value = false;
    if (this.latest.current.drops_typed) this.clear();
  }

  /** The field is removed, which also takes the focus from it. What is typed belongs to a page that is gone. */
  close(): void {
    this.is_closed = true;
    this.stopSearch();
    this.stopWaiting();
  }

  private get text(): string {
    return this.typed.value?.trim() ?? '';
  }

  private get is_answered(): boolean {
    return this.answer.value?.text === this.text;
  }

  private search(pause_ms: number): void {
    this.stopSearch();
    this.running = new AbortController();
    const { signal: given_up } = this.running;
    const run = (): void => void this.load(this.text, given_up);
    if (pause_ms === 0) run();
    else this.timer = setTimeout(run, pause_ms);
  }

  private async load(text: string, given_up: AbortSignal): Promise<void> {
    let choices: readonly Choice[] = [];
    let error: unknown;
    try {
      choices = (await this.latest.current.search?.(text, given_up)) ?? [];
    } catch (reason) {
      error = reason;
    }
    if (given_up.aborted) return;
    batch(() => {
      this.error.value = error;
      this.answer.value = { text, choices };
      this.at.value = 0;
    });
    if (this.endWait.value === undefined) return;
    this.take(this.choices[0]?.value);
    this.stopWaiting();
  }

  private stopSearch(): void {
    this.running.abort();
    clearTimeout(this.timer);
  }

  private stopWaiting(): void {
    this.endWait.value?.();
    this.endWait.value = undefined;
  }

  private clear(): void {
    this.stopSearch();
    batch(() => {
      this.typed.value = undefined;
      this.is_open.value = false;
      this.at.value = 0;
      this.answer.value = undefined;
      this.error.value = undefined;
    });
  }
}
