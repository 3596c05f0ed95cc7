import { type Picture, type PictureName, pictureOf } from "./pictures.ts";

/** A file a picture is saved as. */
export type PictureFormat = "svg" | "png";

/** Pixels of a PNG to a pixel of style. */
const SHARPNESS = 2;

/** Saves a part of the page as a file. Throws `ApiError` where what it shows cannot be had. */
export async function savePicture(name: PictureName, format: PictureFormat): Promise<void> {
	const picture = await pictureOf(name);
	const svg = new Blob([picture.svg], { type: "image/svg+xml" });
	save(format === "svg" ? svg : await pngOf(picture, svg), `${picture.name}.${format}`);
}

async function pngOf({ width, height }: Picture, svg: Blob): Promise<Blob> {
	const address = URL.createObjectURL(svg);
	try {
		const image = new Image();
		image.src = address;
		await image.decode();
		const canvas = document.createElement("canvas");
		canvas.width = width * SHARPNESS;
		canvas.height = height * SHARPNESS;
		canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
		return await new Promise((resolve, reject) => {
			canvas.toBlob(
				(blob) => (blob ? resolve(blob) : reject(new Error("no PNG could be made"))),
				"image/png",
			);
		});
	} finally {
		URL.revokeObjectURL(address);
	}
}

function save(blob: Blob, name: string): void {
	const address = URL.createObjectURL(blob);
	const link = document.createElement("a");
	link.href = address;
	link.download = name;
	link.click();
	// a browser may begin to read it only after this turn
	setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
