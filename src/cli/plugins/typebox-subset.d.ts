/**
 * Schemas of options: the part of TypeBox that plugins need, for editors without TypeBox.
 *
 * At run time `Type` is all of TypeBox 0.34.
 */
interface Annotations<T = unknown> {
  title?: string;
  /** Becomes part of a refusal: "must be …". */
  description?: string;
  /** Used if the option is absent. */
  default?: T;
  /** Values of this schema, for the documentation. `feedloom plugins check` tries those of the whole options. */
  examples?: T[];
  /** Of an option of an integration: with false, errors and warnings may show its text. */
  is_secret?: boolean;
}

export interface TSchema {
  /** The type of the values. It does not exist at run time. */
  static: unknown;
  title?: string;
  description?: string;
  default?: unknown;
  examples?: unknown;
}

/** The type of the values that a schema allows. */
export type Static<T extends TSchema> = T['static'];

interface Typed<V> extends TSchema {
  static: V;
}
type StaticOfEach<T extends TSchema[]> = { [I in keyof T]: T[I] extends TSchema ? Static<T[I]> : never };

export type TUnknown = Typed<unknown>;
export type TNull = Typed<null>;
export type TString = Typed<string>;
export type TNumber = Typed<number>;
export type TInteger = Typed<number>;
export type TBoolean = Typed<boolean>;
export type TLiteral<V extends string | number | boolean = string | number | boolean> = Typed<V>;
export type TArray<T extends TSchema = TSchema> = Typed<Static<T>[]>;
export type TTuple<T extends TSchema[] = TSchema[]> = Typed<StaticOfEach<T>>;
export type TUnion<T extends TSchema[] = TSchema[]> = Typed<StaticOfEach<T>[number]>;
export type TRecord<T extends TSchema = TSchema> = Typed<Record<string, Static<T>>>;
export type TUnsafe<T> = Typed<T>;
export interface TObject<P extends Record<string, TSchema> = Record<string, TSchema>> extends TSchema {
  static: ObjectStatic<P>;
  properties: P;
}
export type TOptional<T extends TSchema> = T & { optional: true };

type OptionalKeys<P> = { [K in keyof P]: P[K] extends { optional: true } ? K : never }[keyof P];
type Flat<T> = { [K in keyof T]: T[K] };
type ObjectStatic<P extends Record<string, TSchema>> = Flat<
  { [K in Exclude<keyof P, OptionalKeys<P>>]: Static<P[K]> } & { [K in OptionalKeys<P>]?: Static<P[K]> }
>;

interface TextLimits {
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
}
interface NumberLimits {
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  multipleOf?: number;
}
interface ListLimits {
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
}
interface MemberLimits {
  minProperties?: number;
  maxProperties?: number;
}

export const Type: {
  Unknown(options?: Annotations): TUnknown;
  Null(options?: Annotations): TNull;
  String(options?: Annotations<string> & TextLimits): TString;
  Number(options?: Annotations<number> & NumberLimits): TNumber;
  Integer(options?: Annotations<number> & NumberLimits): TInteger;
  Boolean(options?: Annotations<boolean>): TBoolean;
  Literal<V extends string | number | boolean>(value: V, options?: Annotations<V>): TLiteral<V>;
  Array<T extends TSchema>(items: T, options?: Annotations<Static<T>[]> & ListLimits): TArray<T>;
  Tuple<T extends TSchema[]>(items: [...T], options?: Annotations): TTuple<T>;
  Union<T extends TSchema[]>(choices: [...T], options?: Annotations): TUnion<T>;
  Optional<T extends TSchema>(schema: T): TOptional<T>;
  Object<P extends Record<string, TSchema>>(
    properties: P,
    options?: Annotations & MemberLimits & { additionalProperties?: boolean | TSchema },
  ): TObject<P>;
  Record<T extends TSchema>(key: TString, value: T, options?: Annotations & MemberLimits): TRecord<T>;
  /** Replaces the type of the values. */
  Unsafe<T>(schema: TSchema): TUnsafe<T>;
};
