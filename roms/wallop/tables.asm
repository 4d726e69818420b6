; Tables. Those that a kernel loop indexes stay within a page.

RAIL_COLOUR     = $84
RAIL_DIM        = $02
BALL_COLOUR     = $0E
SCORE_COLOUR    = $0C
LIVES_COLOUR    = $2A

; --- glyphs -------------------------------------------------------------------------

; Five rows, each two lines high, stored from the bottom up.
        mac     shape
        .byte   {5},{5},{4},{4},{3},{3},{2},{2},{1},{1}
        endm

        align   256
Glyphs
        shape   %11111110,%11000110,%11000110,%11000110,%11111110  ; 0
        shape   %00110000,%01110000,%00110000,%00110000,%01111100  ; 1
        shape   %11111110,%00000110,%11111110,%11000000,%11111110  ; 2
        shape   %11111110,%00000110,%00111110,%00000110,%11111110  ; 3
        shape   %11000110,%11000110,%11111110,%00000110,%00000110  ; 4
        shape   %11111110,%11000000,%11111110,%00000110,%11111110  ; 5
        shape   %11111110,%11000000,%11111110,%11000110,%11111110  ; 6
        shape   %11111110,%00000110,%00001100,%00011000,%00011000  ; 7
        shape   %11111110,%11000110,%11111110,%11000110,%11111110  ; 8
        shape   %11111110,%11000110,%11111110,%00000110,%11111110  ; 9
        shape   %00000000,%00000000,%00000000,%00000000,%00000000  ; blank
        shape   %11000110,%11010110,%11010110,%11111110,%01101100  ; W
        shape   %01111100,%11000110,%11111110,%11000110,%11000110  ; A
        shape   %11000000,%11000000,%11000000,%11000000,%11111110  ; L
        shape   %01111100,%11000110,%11000110,%11000110,%01111100  ; O
        shape   %11111100,%11000110,%11111100,%11000000,%11000000  ; P
        shape   %01111110,%11000000,%11001110,%11000110,%01111110  ; G
        shape   %11000110,%11101110,%11111110,%11010110,%11000110  ; M
        shape   %11111110,%11000000,%11111000,%11000000,%11111110  ; E

BLANK           = 100
GlyphOf                         ; of a decimal digit
        .byte   0,10,20,30,40,50,60,70,80,90
Words   .byte   110,120,130,130,140,150     ; WALLOP
        .byte   160,120,170,180,100,0       ; GAME and a digit

; --- colours ------------------------------------------------------------------------

; A palette: 66 lines from the mortar under the bottom row up to the mortar over
; the top one. {1}..{8} are hues, bottom row first; {9} is added to every shade.
; Two of them fit into a page behind $58, so that a pointer PALETTE_LOW_Y bytes
; ahead of either is in that page too, and indexing it never takes an extra cycle.
        mac     row_shades
        .byte   {1}+{2}+4,{1}+{2}+4,{1}+{2},{1}+{2}+2,{1}+{2}+4,{1}+{2}+4,{1}+{2}+4,{1}+{2}+8
        endm

PALETTE_LOW_Y   = FIELD_LINES - WALL_END + 1

        mac     palette
        row_shades {1},{9}
        row_shades {2},{9}
        row_shades {3},{9}
        row_shades {4},{9}
        row_shades {5},{9}
        row_shades {6},{9}
        row_shades {7},{9}
        row_shades {8},{9}
        .byte   {8}+{9}+4,{8}+{9}+4
        endm

        align   256

; --- the ball -----------------------------------------------------------------------

; Pixels and lines per half frame, in 1/256, for speeds of 1.9, 2.3, 2.7, 3.1, 3.5
; and 3.8 pixels a frame (a row each) at 14, 29, 44 and 57 degrees from upright.
StepXLow
        .byte    59,118,169,204
        .byte    71,143,205,247
        .byte    84,168,240, 34
        .byte    96,192, 20, 77
        .byte   108,217, 55,120
        .byte   118,236, 82,152
StepXHigh
        .byte     0,  0,  0,  0
        .byte     0,  0,  0,  0
        .byte     0,  0,  0,  1
        .byte     0,  0,  1,  1
        .byte     0,  0,  1,  1
        .byte     0,  0,  1,  1
StepYLow
        .byte   236,213,175,132
        .byte    30,  1,212,160
        .byte    79, 46,249,188
        .byte   129, 91, 29,216
        .byte   179,136, 66,244
        .byte   216,169, 94,  9
        echo "free before the first palette:", [$58 - <.]d
        org     [. & $FF00] + $58
Palette0
        palette $80,$A0,$C0,$D0,$10,$20,$30,$40,2
Palette1
        palette $50,$60,$70,$80,$90,$A0,$B0,$C0,2

StepYHigh
        .byte   0,0,0,0,1,1,0,0,1,1,0,0
        .byte   1,1,1,0,1,1,1,0,1,1,1,1

        align   256
; Which eighth of a 12-pixel bat the ball has hit.
EighthsOf12
        .byte   0,0,1,2,2,3,4,5,6,6,7,8,8
; Angle and side (bit 7: left) for each eighth, from the bat's left end to its right.
KEEP_SIDE       = 1
ZoneAngle
        .byte   3,2,1,0,0,0,1,2,3
ZoneSide
        .byte   $80,$80,$80,$80,KEEP_SIDE,0,0,0,0

; --- bricks -------------------------------------------------------------------------

RowStart
        .byte   0,6,12,18,24,30,36,42
RowPoints                       ; BCD, top row first
        .byte   $10,$08,$06,$05,$04,$03,$02,$01
RowPitches
        .byte   6,7,8,9,11,13,15,17
        echo "free before the second pair of palettes:", [$58 - <.]d
        org     [. & $FF00] + $58
Palette2
        palette $20,$30,$40,$50,$60,$80,$A0,$B0,2
PaletteOver
        palette 0,0,0,0,0,0,0,0,0
; A row of bricks: PF0, PF1, PF2 left, then right. A brick is 4 playfield pixels.
FullRow .byte   %11010000,%11111111,%11111111,%11110000,%11111111,%10111111
; Each brick's first byte in its row, its bits there and its bits in the next byte.
BrickByte
        .byte   0,1,1,2,2,3,4,4,5
BrickHead
        .byte   %11000000,%00111100,%00000011,%00111100,%11000000,%11000000,%00111100,%00000011,%00111100
BrickTail
        .byte   %11000000,0,%00000011,0,%00110000,%11000000,0,%00000011,0

PaletteLow
        .byte   <[Palette0-PALETTE_LOW_Y],<[Palette1-PALETTE_LOW_Y],<[Palette2-PALETTE_LOW_Y],<[Palette1-PALETTE_LOW_Y],<[PaletteOver-PALETTE_LOW_Y]
        align   256
PaletteHigh
        .byte   >[Palette0-PALETTE_LOW_Y],>[Palette1-PALETTE_LOW_Y],>[Palette2-PALETTE_LOW_Y],>[Palette1-PALETTE_LOW_Y],>[PaletteOver-PALETTE_LOW_Y]
TopColours                      ; from the last line up to the first
        .byte   $02,$04,$06,$08,$0A,$06
BatColours
        .byte   $94,$98,$9C,$9E
LivesPF1
        .byte   %00000000,%10000000,%10100000,%10101000,%10101010,%10101010
LivesPF2
        .byte   0,0,0,0,0,1

; --- variants -----------------------------------------------------------------------

VariantBat                      ; which bat (the next one on difficulty A)
        .byte   0,1,0
VariantSpeed                    ; the first ball's speed
        .byte   0,2,1
BatWidths
        .byte   16,12,8
BatShapes                       ; drawn twice as wide
        .byte   %11111111,%11111100,%11110000

; --- positions ----------------------------------------------------------------------

; For pixel n: the low nibble says how many times 15 pixels to wait, the high one is
; the motion that is left (6 to the left .. 8 to the right).
        align   256
Positions
N       set     0
        repeat  160
        .byte   [[[6 - [N % 15]] & 15] << 4] | [N / 15]
N       set     N + 1
        repend

; --- ball mask ----------------------------------------------------------------------

; ENABL for each line around the ball: it slides along this table.
        ds      FIELD_LINES,0
BallTable
        ds      BALL_HEIGHT,2
        ds      HIDDEN_LINE + 2,0
        echo "free after the tables:", [$FFFC - .]d

