/** Maps of tables, as `feedloom import --map-file` reads them too, so that files and tables give the same records. */

/** What a row says by its map. */
export interface MappedRow {
  /** Fields of the record: those of the ingest API for its kind. */
  fields: Record<string, unknown>;
  /** Whether the map leaves the row out. */
  is_skipped: boolean;
}

/** Reads the rows of a table with certain columns. */
export interface RowReader {
  /** The column of each field that has one. */
  readonly columns: ReadonlyMap<string, string>;
  /** The columns that may leave a row out. */
  readonly skips: readonly string[];
  /** What the table lacks for this map, one sentence each. */
  readonly faults: readonly string[];
  /** Reads a row by the names of its columns. Values are texts as in CSV, lists, or objects of JSON. Absent ones say nothing. */
  read(row: Readonly<Record<string, unknown>>): MappedRow;
}

/** A line of a file of maps: `posts=items:item_id=id,…`. */
export interface TableMap {
  /** The line. */
  readonly text: string;
  /** `posts` or `forum.posts`. */
  readonly table: string;
  readonly kind:
    | 'users'
    | 'items'
    | 'follows'
    | 'blocks'
    | 'engagement'
    | 'interactions'
    | 'impressions'
    | 'labels';
  /**
   * The texts that a field can have, with '' for an absent value: one for all rows, or those of rules with `*`.
   *
   * Undefined if the map does not say them.
   * @example event_type=kind[up:like,*:hide] has 'like', 'hide' and ''
   */
  valuesOf(field: string): readonly string[] | undefined;
  readerOf(columns: readonly string[]): RowReader;
}

/** What the host gives to a connector when its options are checked. */
export interface ConnectTools {
  /** Reads a file of maps. @throws Error that names the line, and what is allowed */
  readMaps(path: string): TableMap[];
}
