// The style of the banner, which no style of the page reaches. Browsers without `light-dark` show the light colours.
export const STYLE = `:host{all:initial!important}
section{position:fixed;z-index:2147483647;left:0;right:0;bottom:0;box-sizing:border-box;display:flex;align-items:center;justify-content:center;gap:10px;padding:10px max(12px,env(safe-area-inset-right)) max(10px,env(safe-area-inset-bottom)) max(12px,env(safe-area-inset-left));font:max(1rem,16px)/1.3 system-ui,sans-serif;background:#fff;background:light-dark(#fff,#222);color:#1a1a1a;color:light-dark(#1a1a1a,#f2f2f2);box-shadow:0 0 0 1px #8885,0 0 16px #0003}
.top{bottom:auto;top:0;padding-top:max(10px,env(safe-area-inset-top));padding-bottom:10px}
img,button{flex:none}
img{width:48px;height:48px;border-radius:11px;object-fit:cover}
p{flex:1 1 8em;min-width:0;max-width:32em;margin:0;overflow-wrap:anywhere}
b,span{display:block}
span{font-size:.875em}
a,button{box-sizing:border-box;min-height:44px;border:0;border-radius:22px;font:inherit}
a{display:flex;align-items:center;text-align:center;padding:8px 16px;background:#0b57d0;color:#fff;font-weight:600;text-decoration:none}
button{width:44px;padding:0;background:none;color:inherit;font-size:1.5em;line-height:1;cursor:pointer}
:focus-visible{outline:3px solid;outline-color:light-dark(#1a1a1a,#f2f2f2);outline-offset:2px}
@media print{section{display:none}}`;

/** Returns the colour of a text on `#rrggbb`: black or white, whichever is easier to read. */
export function textOn(color: string): '#000' | '#fff' {
  const [red = 0, green = 0, blue = 0] = (color.match(/\w\w/g) ?? []).map((two) => (parseInt(two, 16) / 255) ** 2.2);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.18 ? '#000' : '#fff';
}
