// Messages from protobuf's binary form to JSON text at once: objects in between would cost several times as much.

import { type DescEnum, type DescField, type DescMessage, fromBinary, ScalarType, toJson } from "@bufbuild/protobuf";

/** Reads a value's bytes and gives its JSON. */
type Value = (reader: Reader) => string;

interface Field {
  /** The name, as it stands in the object: `"name":`. */
  label: string;
  value: Value;
  repeated: boolean;
  /** Of numbers that may stand together in one run of bytes. */
  packable: boolean;
}

const LENGTH_DELIMITED = 2;

class Reader {
  readonly #view: DataView;

  constructor(
    readonly bytes: Buffer,
    public place = 0,
    public end = bytes.length,
  ) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** The low 32 bits, without a sign. */
  varint(): number {
    let low = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.#byte();
      if (shift < 32) low |= (byte & 127) << shift;
      if (byte < 128) return low >>> 0;
    }
  }

  bigVarint(): bigint {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = this.#byte();
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
  }

  double(): number {
    this.place += 8;
    return this.#view.getFloat64(this.place - 8, true);
  }

  float(): number {
    this.place += 4;
    return this.#view.getFloat32(this.place - 4, true);
  }

  /** The place where the value of so many bytes that comes now ends. */
  lengthEnd(): number {
    const length = this.varint();
    const end = this.place + length;
    if (end > this.end) throw new RangeError("a message ends too early");
    return end;
  }

  skip(wireType: number): void {
    if (wireType === 0) this.varint();
    else if (wireType === 1) this.place += 8;
    else if (wireType === LENGTH_DELIMITED) this.place = this.lengthEnd();
    else if (wireType === 5) this.place += 4;
    else throw new RangeError(`unknown wire type ${wireType}`);
  }

  #byte(): number {
    if (this.place >= this.end) throw new RangeError("a message ends too early");
    return this.bytes[this.place++]!;
  }
}

const NEEDS_ESCAPE = /["\\\u0000-\u001f\u2028\u2029]/;

function quoted(text: string): string {
  return NEEDS_ESCAPE.test(text) ? JSON.stringify(text) : `"${text}"`;
}

function numberText(value: number): string {
  return Number.isFinite(value) ? String(value) : `"${value}"`;
}

function scalarValue(scalar: ScalarType): Value {
  switch (scalar) {
    case ScalarType.BOOL:
      return (reader) => (reader.varint() === 0 ? "false" : "true");
    case ScalarType.INT32:
      return (reader) => String(reader.varint() | 0);
    case ScalarType.UINT32:
      return (reader) => String(reader.varint());
    case ScalarType.INT64:
      return (reader) => `"${BigInt.asIntN(64, reader.bigVarint())}"`;
    case ScalarType.UINT64:
      return (reader) => `"${BigInt.asUintN(64, reader.bigVarint())}"`;
    case ScalarType.DOUBLE:
      return (reader) => numberText(reader.double());
    case ScalarType.FLOAT:
      return (reader) => numberText(reader.float());
    case ScalarType.STRING:
      return (reader) => {
        const end = reader.lengthEnd();
        const text = reader.bytes.toString("utf8", reader.place, end);
        reader.place = end;
        return quoted(text);
      };
    default:
      throw new Error(`no JSON text for scalars of type ${scalar}`);
  }
}

function enumValue(desc: DescEnum): Value {
  const names = new Map(desc.values.map(({ number, name }) => [number, `"${name}"`]));
  return (reader) => {
    const number = reader.varint() | 0;
    return names.get(number) ?? String(number);
  };
}

/** Durations and the like have a form of their own. */
function wellKnownValue(desc: DescMessage): Value {
  return (reader) => {
    const end = reader.lengthEnd();
    const message = fromBinary(desc, reader.bytes.subarray(reader.place, end));
    reader.place = end;
    return JSON.stringify(toJson(desc, message));
  };
}

function messageValue(desc: DescMessage): Value {
  if (desc.typeName.startsWith("google.protobuf.")) return wellKnownValue(desc);
  return (reader) => {
    const { end } = reader;
    reader.end = reader.lengthEnd();
    const text = objectText(fieldsOf(desc), reader);
    reader.end = end;
    return text;
  };
}

function fieldOf(field: DescField): Field {
  if (field.fieldKind === "map") throw new Error(`no JSON text for ${field.toString()}`);
  const kind = field.fieldKind === "list" ? field.listKind : field.fieldKind;
  const value =
    kind === "message"
      ? messageValue(field.message!)
      : kind === "enum"
        ? enumValue(field.enum!)
        : scalarValue(field.scalar!);
  const packable = kind === "enum" || (kind === "scalar" && field.scalar !== ScalarType.STRING);
  return { label: `"${field.jsonName}":`, value, repeated: field.fieldKind === "list", packable };
}

const known = new Map<DescMessage, (Field | undefined)[]>();

/** By number. Messages that hold each other are met again when they are read. */
function fieldsOf(desc: DescMessage): (Field | undefined)[] {
  let fields = known.get(desc);
  if (!fields) {
    fields = [];
    for (const field of desc.fields) fields[field.number] = fieldOf(field);
    known.set(desc, fields);
  }
  return fields;
}

function objectText(fields: (Field | undefined)[], reader: Reader): string {
  const texts: (string | undefined)[] = [];
  while (reader.place < reader.end) {
    const tag = reader.varint();
    const field = fields[tag >>> 3];
    const wireType = tag & 7;
    if (!field) {
      reader.skip(wireType);
      continue;
    }
    let text: string;
    if (field.repeated && field.packable && wireType === LENGTH_DELIMITED) {
      const values = [];
      for (const end = reader.lengthEnd(); reader.place < end; ) values.push(field.value(reader));
      text = values.join(",");
    } else {
      text = field.value(reader);
    }
    const before = texts[tag >>> 3];
    texts[tag >>> 3] = field.repeated && before !== undefined ? `${before},${text}` : text;
  }
  let object = "";
  for (let number = 1; number < texts.length; number++) {
    const text = texts[number];
    if (text === undefined) continue;
    const { label, repeated } = fields[number]!;
    object += `${object && ","}${label}${repeated ? `[${text}]` : text}`;
  }
  return `{${object}}`;
}

/** The JSON of a message, as toJson has it, from its binary form. Throws where that is none. */
export function jsonText(desc: DescMessage, bytes: Buffer): string {
  return objectText(fieldsOf(desc), new Reader(bytes));
}
