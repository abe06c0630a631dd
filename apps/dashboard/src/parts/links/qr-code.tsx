import { Box, Button, Group, Stack } from '@mantine/core';
import { renderSVG } from 'uqr';
import { useTranslations } from 'use-intl';

/** Pixels of a PNG. Enough for print at 8 cm. */
const PNG_SIZE = 1024;

/** The QR code of a link, to scan and to download. */
export function QrCode({ url, name, size = 200 }: { url: string; name: string; size?: number }) {
  const t = useTranslations('qr');
  const marked = scanned(url);
  const image = `data:image/svg+xml,${encodeURIComponent(svgOf(marked))}`;
  return (
    <Stack gap="xs" align="center" w={size}>
      {/* White around the code: scanners need it in dark mode, too. */}
      <Box bg="white" p={8} bdrs="md">
        <img src={image} width={size - 16} height={size - 16} alt={t('alt', { url })} style={{ display: 'block' }} />
      </Box>
      <Group gap="xs">
        <Button
          size="compact-xs"
          variant="default"
          onClick={() => download(new Blob([svgOf(marked)], { type: 'image/svg+xml' }), `${name}.svg`)}
        >
          SVG
        </Button>
        <Button
          size="compact-xs"
          variant="default"
          onClick={() => void pngOf(marked).then((png) => download(png, `${name}.png`))}
        >
          PNG
        </Button>
      </Group>
    </Stack>
  );
}

/** The mark tells a scan from a tap in the events of the link. */
function scanned(url: string): string {
  const marked = new URL(url);
  marked.searchParams.set('lf_via', 'qr');
  return marked.href;
}

const svgOf = (url: string): string => renderSVG(url, { ecc: 'M', border: 2 });

async function pngOf(url: string): Promise<Blob> {
  const image = new Image(PNG_SIZE, PNG_SIZE);
  image.src = `data:image/svg+xml,${encodeURIComponent(svgOf(url))}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = PNG_SIZE;
  canvas.height = PNG_SIZE;
  const drawing = canvas.getContext('2d')!;
  drawing.imageSmoothingEnabled = false;
  drawing.drawImage(image, 0, 0, PNG_SIZE, PNG_SIZE);
  return await new Promise((resolve) => canvas.toBlob((blob) => resolve(blob!), 'image/png'));
}

export function download(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
