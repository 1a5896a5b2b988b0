/** The text of base64 data, white space ignored; `undefined` when it is no base64 or no text. */
export function decodeBase64(data: string): string | undefined {
  const compact = data.replace(/\s+/g, "");
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(compact)) return undefined;
  try {
    return text(
      Uint8Array.from(atob(compact.replace(/-/g, "+").replace(/_/g, "/")), (char) => char.charCodeAt(0)),
    );
  } catch {
    return undefined;
  }
}

/** The text of hexadecimal data, as `xxd -r -p` reads it. */
export function decodeHex(data: string): string | undefined {
  const compact = data.replace(/\s+/g, "");
  if (compact.length % 2 !== 0 || !/^[0-9a-fA-F]*$/.test(compact)) return undefined;
  return text(Uint8Array.from(compact.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)));
}

const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** The text of base32 data. */
export function decodeBase32(data: string): string | undefined {
  const compact = data.replace(/[\s=]+/g, "").toUpperCase();
  const bytes: number[] = [];
  let bits = 0;
  let value = 0;
  for (const char of compact) {
    const digit = BASE32.indexOf(char);
    if (digit === -1) return undefined;
    value = ((value << 5) | digit) & 0xfff;
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      bytes.push((value >> bits) & 0xff);
    }
  }
  return text(Uint8Array.from(bytes));
}

function text(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
