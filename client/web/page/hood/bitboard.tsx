// One bitboard as a picture: bit 0 is a1, bit 63 is h8.

export function bitIsSet(bits: bigint, index: number): boolean {
  return ((bits >> BigInt(index)) & 1n) === 1n;
}

export function formatBits(bits: bigint): string {
  return `0x${bits.toString(16).padStart(16, "0")}`;
}

function countBits(bits: bigint): number {
  return bits.toString(2).replaceAll("0", "").length;
}

export function Bitboard({ name, bits }: { name: string; bits: bigint }) {
  const squares = Array.from({ length: 64 }, (_, index) => index);
  return (
    <figure class="bitboard">
      <svg viewBox="0 0 80 80" role="img" aria-label={`${name}: ${countBits(bits)} squares`}>
        {squares.map((index) => (
          <rect
            key={index}
            class={bitIsSet(bits, index) ? "bit set" : "bit"}
            x={10 * (index % 8)}
            y={70 - 10 * Math.floor(index / 8)}
            width="9"
            height="9"
          />
        ))}
      </svg>
      <figcaption>
        {name}
        <code>{formatBits(bits)}</code>
      </figcaption>
    </figure>
  );
}
