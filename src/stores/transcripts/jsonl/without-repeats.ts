/**
 * Things without those whose id came before; such as have no id stay. Ids that count up, as those of the runtime do, can't
 * come twice: then nothing is done. For others there is a table of places, which is made once and is right in size: a set of
 * texts that grows would take a third as long as reading the messages they are of.
 */
export function withoutRepeats<Thing>(
  things: readonly Thing[],
  idOf: (thing: Thing) => string | undefined,
): readonly Thing[] {
  if (countUp(things, idOf)) return things;
  // At each place the number of a thing, counted from 1; at least half of them stay free.
  const places = new Uint32Array(2 ** Math.ceil(Math.log2(things.length * 2)));
  const last = places.length - 1;
  const isFirst = (thing: Thing, at: number): boolean => {
    const id = idOf(thing);
    if (id === undefined) return true;
    let place = hashOf(id) & last;
    for (let number = places[place] ?? 0; number !== 0; number = places[place] ?? 0) {
      const other = things[number - 1];
      if (other !== undefined && idOf(other) === id) return false;
      place = (place + 1) & last;
    }
    places[place] = at + 1;
    return true;
  };
  return things.filter(isFirst);
}

function countUp<Thing>(things: readonly Thing[], idOf: (thing: Thing) => string | undefined): boolean {
  let highest = "";
  for (const thing of things) {
    const id = idOf(thing);
    if (id === undefined) continue;
    if (!isBelow(highest, id)) return false;
    highest = id;
  }
  return true;
}

/** `m-9` is below `m-10`. */
function isBelow(a: string, b: string): boolean {
  return a.length === b.length ? a < b : a.length < b.length;
}

/** FNV-1a, with its bits mixed once more, since the lowest ones decide. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return hash ^ (hash >>> 12);
}
