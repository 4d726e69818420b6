; WALLOP: a bat, a ball and a brick wall for the Atari 2600.
;
; Written for dasm:  dasm wallop.asm -f3 -owallop.bin
; 4 KB, no bank switching, NTSC, 262 lines in every state.
;
;   wallop.asm   this file: memory map, start-up and the frame's skeleton
;   logic.asm    switches, controllers, the rules between frames
;   physics.asm  the ball: movement, bricks, bat, bounces
;   kernel.asm   the picture: score, wall, field, bat, lives
;   tables.asm   glyphs, colours, speeds, masks
;
; Lines of the play field are numbered downwards from 0 ("line"); the kernel
; counts the same lines with Y from FIELD_LINES down to 1.

        processor 6502
        include "hardware.asm"

        ifnconst PROBE
PROBE           = 0             ; 1: leave the frame's spare time in memory
        endif

; --- geometry -----------------------------------------------------------------

FIELD_LINES     = 174           ; play field, from the top wall to the pit
TOP_WALL        = 6             ; its first lines are the top wall
WALL_TOP        = 26            ; first line of the top row of bricks
ROW_PITCH       = 8             ; a row: 6 lines of brick, 2 of mortar
ROW_LIT         = 6
ROWS            = 8
COLUMNS         = 9
WALL_END        = WALL_TOP + ROWS * ROW_PITCH
BAT_LINE        = 162           ; first of the bat's 4 lines
PIT_LINE        = 172           ; a ball whose top is here is lost
SERVE_LINE      = 104
REFILL_LINE     = 100           ; a new wall waits until the ball is below this

BALL_HEIGHT     = 4
BALL_WIDTH      = 2
FIELD_LEFT      = 4             ; first pixel inside the rails
FIELD_RIGHT     = 156           ; first pixel beyond them
WALL_LEFT       = 8             ; first pixel of the first brick
BRICK_WIDTH     = 16
BAT_STEP        = 3             ; joystick: pixels a frame
PADDLE_CENTRE   = 11            ; bat's centre = paddleLine - PADDLE_CENTRE
HIDDEN_LINE     = 200           ; a ball line that is never drawn

; --- rules --------------------------------------------------------------------

LIVES           = 5
BRICKS          = ROWS * COLUMNS
VARIANTS        = 3
PLOUGH          = 2             ; the variant whose ball does not bounce off bricks
SERVE_FRAMES    = 60
OVER_FRAMES     = 60            ; frames that FIRE is ignored on the title and after a game
TOP_SPEED       = 5
DEEP_ROWS       = 2             ; rows whose first hit speeds the ball up
DRY_HITS        = 4             ; bat hits without a brick before a random bounce

STATE_TITLE     = 0
STATE_SERVE     = 1
STATE_PLAY      = 2
STATE_OVER      = 3

; --- memory -------------------------------------------------------------------
; $80-$8F are a public interface, documented in README.md: do not move them.

        seg.u   variables
        org     $80

state           ds 1            ; $80 STATE_*
variant         ds 1            ; $81 0 standard, 1 quick, 2 plough
lives           ds 1            ; $82 5..0; 0 when no game is running
score           ds 3            ; $83 BCD, most significant byte first
bricks          ds 1            ; $86 bricks standing
walls           ds 1            ; $87 walls cleared in this game
ballX           ds 1            ; $88 left pixel, 4..154
ballLine        ds 1            ; $89 top line, 6..172
batX            ds 1            ; $8A left pixel, 4..(156 - width)
batWidth        ds 1            ; $8B 16, 12 or 8
paddleSeen      ds 1            ; $8C not 0: a paddle is plugged in
speed           ds 1            ; $8D 0..5
ballLeft        ds 1            ; $8E bit 7: the ball moves left
ballUp          ds 1            ; $8F bit 7: the ball moves up

random          ds 2            ; survives power-on: see Start
frame           ds 1
timer           ds 1            ; serve pause; after the last ball, FIRE's lock
message         ds 1            ; what the title shows: 0 WALLOP, 1 GAME n
fire            ds 1            ; bit 7: FIRE counts in this frame
fireHeld        ds 1            ; bit 7: FIRE must be let go before it counts
selectHeld      ds 1            ; bit 7: SELECT was down in the last frame
stick           ds 1            ; bit 7 right, bit 6 left: 0 = pushed

ballXFraction   ds 1
ballLineFraction ds 1
stepX           ds 2            ; pixels per half frame, 8.8, unsigned
stepY           ds 2            ; lines per half frame
angle           ds 1            ; 0 steep .. 3 flat
baseSpeed       ds 1            ; speed a ball is served with
batHits         ds 1            ; with this ball
dryHits         ds 1            ; bat hits since the last brick
deep            ds 1            ; 1: this ball has reached the top rows

oldX            ds 1
oldLine         ds 1
probeX          ds 1
front           ds 1
struckRow       ds 1
temp            ds 1

sound0          ds 1            ; frames left of the short sound
sound1          ds 1            ; frames left of the long one
sound1Rise      ds 1            ; added to its pitch every 4 frames
pitch1          ds 1

colours         ds 2            ; -> row colours, indexed by Y
ballMask        ds 2            ; -> ball table, indexed by Y
paddleLine      ds 1            ; last Y at which the paddle was not charged
batShape        ds 1
railColour      ds 1
digits          ds 12           ; -> six glyphs
rowBytes        = digits        ; in the field: playfield bytes of the next row
row             ds 1
glyph           ds 1

wall            ds ROWS * 6     ; per row PF0 PF1 PF2 left, PF0 PF1 PF2 right
wallGuard       ds 1            ; a mask may spill one byte past the wall

        if PROBE
probeOverscan   ds 1            ; least timer left, for the timing test
probeBlank      ds 1
        endif

        echo "RAM free:", [$F8 - .]d

; --- program ------------------------------------------------------------------

        seg     code
        org     $F000

; Power-on. The timer and RAM are the only random values of a 2600 at power-on, so
; `random` is not cleared: the timer is mixed into it.
Start   subroutine
        sei
        cld
        lda     INTIM
        eor     random
        tay
        ldx     random+1
        txs                     ; a hiding place while memory is cleared
        ldx     #0
        txa
.clear  sta     $00,x           ; the TIA's registers and all of memory
        dex
        bne     .clear
        sty     random
        tsx
        stx     random+1
        tya
        ora     random+1
        bne     .seeded
        inc     random          ; all zeroes would stay zero
.seeded ldx     #$FF
        txs
        if PROBE
        stx     probeOverscan
        stx     probeBlank
        endif
        jsr     ShowTitle

; One frame: 3 lines of VSYNC, 37 of VBLANK, 200 of picture, 22 of overscan.
; The paddles' capacitors charge from the first line of the picture until the
; end of overscan.
Frame   subroutine
        lda     INPT0           ; charged at last: a paddle, not a joystick
        bpl     .joystick
        lda     #240
        sta     paddleSeen
        bne     .sync
.joystick
        lda     paddleSeen
        beq     .sync
        dec     paddleSeen
.sync   lda     #%10000010      ; picture off, capacitors grounded
        ldx     #%00000010
        sta     WSYNC
        sta     VBLANK
        stx     VSYNC
        sta     WSYNC
        sta     WSYNC
        lda     #0
        sta     WSYNC
        sta     VSYNC
        lda     #44             ; ends in the 37th line from here
        sta     TIM64T

        jsr     Console
        jsr     Players
        jsr     Rules
        jsr     Sounds
        jsr     Prepare
        if PROBE
        lda     INTIM
        cmp     probeBlank
        bcs     .blank
        sta     probeBlank
        endif
.blank  lda     INTIM
        bne     .blank
        jsr     Kernel

        lda     #26             ; ends in the 22nd line from here
        sta     TIM64T
        lda     state
        cmp     #STATE_PLAY
        bne     .still
        jsr     MoveBall
        lda     state
        cmp     #STATE_PLAY
        bne     .still
        jsr     MoveBall
.still
        if PROBE
        lda     INTIM
        cmp     probeOverscan
        bcs     .overscan
        sta     probeOverscan
        endif
.overscan
        lda     INTIM
        bne     .overscan
        beq     Frame

        include "logic.asm"
        include "physics.asm"
        include "kernel.asm"
        include "tables.asm"

        org     $FFFC
        .word   Start
        .word   Start
