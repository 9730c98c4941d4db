import { Gunzip } from 'fflate';

/** Bytes at the end of a part with the length of its content. */
const LENGTH_BYTES = 4;

/**
 * Decompresses a file of gzip in a browser. `DecompressionStream` cannot read one of several parts, as `cat` and log
 * rotation write it.
 *
 * It ends with an error if the file is none of gzip, or is not whole.
 */
export function gunzip(): TransformStream<Uint8Array, Uint8Array> {
  let out: Uint8Array[] = [];
  let length = 0;
  let last = new Uint8Array(0);
  const unpacker = new Gunzip((bytes) => {
    length += bytes.length;
    if (bytes.length > 0) out.push(bytes);
  });
  unpacker.onmember = () => {
    length = 0;
  };
  return new TransformStream<Uint8Array, Uint8Array>({
    transform(bytes, controller) {
      unpacker.push(bytes);
      last = Uint8Array.from([...last, ...bytes.subarray(-LENGTH_BYTES)]).slice(-LENGTH_BYTES);
      for (const each of out) controller.enqueue(each);
      out = [];
    },
    flush(controller) {
      unpacker.push(new Uint8Array(0), true);
      for (const each of out) controller.enqueue(each);
      if (last.length < LENGTH_BYTES || new DataView(last.buffer).getUint32(0, true) !== length % 2 ** 32)
        throw new Error('the file is not a whole gzip file');
    },
  });
}
