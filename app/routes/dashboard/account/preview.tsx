import { useEffect, useRef, useState } from "react";

import { Icon } from "../../../ui/icons.tsx";

/** Twice its size on the page, for fine screens. */
const SIZE = 160;

/**
 * A picture before it is sent, drawn by the browser: an image element would need an address that our content security policy
 * has no room for. What cannot be drawn so (an SVG) is known by its name beside it.
 */
export function Preview({ file }: { file: File }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [isDrawn, setIsDrawn] = useState(true);
  useEffect(() => {
    let isWanted = true;
    void createImageBitmap(file).then(
      (bitmap) => isWanted && draw(bitmap, canvas.current),
      () => isWanted && setIsDrawn(false),
    );
    return () => {
      isWanted = false;
    };
  }, [file]);
  if (!isDrawn) return <Icon name="person" />;
  return <canvas ref={canvas} width={SIZE} height={SIZE} role="img" aria-label="The picture that you have chosen" />;
}

/** The middle of the picture, as large as it goes. */
function draw(bitmap: ImageBitmap, canvas: HTMLCanvasElement | null): void {
  const side = Math.min(bitmap.width, bitmap.height);
  const [left, top] = [(bitmap.width - side) / 2, (bitmap.height - side) / 2];
  canvas?.getContext("2d")?.drawImage(bitmap, left, top, side, side, 0, 0, SIZE, SIZE);
  bitmap.close();
}
