; The picture: 200 lines.
;
;    18  score (10 lines of glyphs), then the objects are moved for the field
;   174  field: 6 top wall, 18 open, 66 bricks, 72 open, 4 bat, 8 pit
;     8  lives
;
; Player 0 and the missiles, three copies each, draw the one-pixel joints between
; bricks. Player 1 is the bat. The ball is delayed (VDELBL): what is written to
; ENABL on one line appears on the next, when GRP1 is written.
; In the open field the playfield is in score mode: the rails take the players'
; colours and leave COLUPF to the ball.

RAILS           = %00010000     ; PF0
REFLECT         = %00010001     ; CTRLPF: ball 2 wide, mirrored
REFLECT_SCORE   = %00010011     ; and rails in the players' colours
PLAIN           = %00010000

; --- before the picture -------------------------------------------------------------

; Works out what the picture needs, then places the score's players, the joints
; and the ball. Takes six lines at its end.
Prepare subroutine
        lda     walls           ; colours
        and     #3
        tax
        lda     #RAIL_COLOUR
        ldy     state
        cpy     #STATE_OVER
        bne     .lit
        ldx     #4
        lda     #RAIL_DIM
.lit    sta     railColour
        lda     PaletteLow,x
        sta     colours
        lda     PaletteHigh,x
        sta     colours+1

        ldx     #HIDDEN_LINE    ; ball
        cpy     #STATE_PLAY
        beq     .shown
        cpy     #STATE_SERVE
        bne     .hidden
        lda     frame
        and     #4
        bne     .hidden
.shown  ldx     ballLine
.hidden txa
        clc
        adc     #<[BallTable - FIELD_LINES + 2]
        sta     ballMask
        lda     #>[BallTable - FIELD_LINES + 2]
        adc     #0
        sta     ballMask+1

        lda     #>Glyphs        ; six glyphs
        ldx     #10
.page   sta     digits+1,x
        dex
        dex
        bpl     .page
        jsr     Caption

        lda     #FIELD_LINES + 26
        sta     paddleLine

        lda     #56             ; player 0, player 1
        ldx     #0
        jsr     Place
        lda     #64
        inx
        jsr     Place
        lda     #72             ; missiles and ball appear one pixel to the left
        inx
        jsr     Place
        lda     #120
        inx
        jsr     Place
        ldy     ballX
        iny
        tya
        ldx     #4
        jsr     Place
        sta     WSYNC
        sta     HMOVE
        rts

; Object X goes to pixel A (players) or A - 1 (missiles, ball) at the next HMOVE.
Place   subroutine
        tay
        lda     Positions,y
        sta     WSYNC
        sta     HMP0,x          ; 4
        and     #$0F            ; 6
        tay                     ; 8
        nop                     ; 10
        nop                     ; 12
        sta     temp            ; 15
.wait   dey
        bpl     .wait           ; 19 + 5Y
        sta     RESP0,x         ; 23 + 5Y
        rts
        if >.wait != >[. - 1]
        echo "Place: its loop must not cross a page"
        err
        endif

; Low bytes of the six glyphs: the score, or a word.
Caption subroutine
        ldx     #0              ; WALLOP
        lda     state
        beq     .title
        cmp     #STATE_OVER
        bne     .score
        bit     frame           ; over: the score and the name take turns
        bmi     .word
        bpl     .score
.title  lda     message
        beq     .word
        ldx     #6              ; GAME n
.word   ldy     #0
.letter lda     Words,x
        sta     digits,y
        inx
        iny
        iny
        cpy     #12
        bne     .letter
        lda     state
        ora     message
        cmp     #1
        bne     .worded
        ldx     variant
        lda     GlyphOf+1,x
        sta     digits+10
.worded rts

.score  ldy     #0              ; most significant byte first
        ldx     #0
.byte   lda     score,y
        pha
        lsr
        lsr
        lsr
        lsr
        jsr     .put
        pla
        and     #$0F
        jsr     .put
        iny
        cpy     #3
        bne     .byte
        lda     score           ; four digits until there are more
        bne     .full
        lda     #BLANK
        sta     digits
        sta     digits+2
.full   rts
.put    stx     temp
        tax
        lda     GlyphOf,x
        ldx     temp
        sta     digits,x
        inx
        inx
        rts

; --- pieces of lines ----------------------------------------------------------------

        mac     next_ball       ; 8 or 9 cycles
        lda     (ballMask),y
        sta     ENABL
        endm

        mac     read_paddle     ; 8 cycles: the last line that finds it uncharged
        lda     INPT0
        bmi     .charged
        sty     paddleLine
.charged
        endm

        mac     row_colour      ; 8 cycles
        lda     (colours),y
        sta     COLUPF
        endm

; --- the picture ----------------------------------------------------------------------

Kernel  subroutine
        sta     WSYNC           ; picture line 0
        lda     #0
        sta     VBLANK          ; picture on; the paddle begins to charge
        lda     #SCORE_COLOUR
        sta     COLUP0
        sta     COLUP1
        lda     #%011           ; three copies, close
        sta     NUSIZ0
        sta     NUSIZ1
        sta     VDELP0
        sta     VDELP1
        sta     HMCLR
        sta     WSYNC           ; 1
        ldy     #9
        sty     row
        lda     (digits),y
        sta     GRP0
        sta     WSYNC           ; 2..11

.score  lda     (digits+2),y    ; a loop of exactly 76 cycles
        sta     GRP1            ; 8
        lda     (digits+4),y
        sta     GRP0            ; 16
        lda     (digits+10),y
        sta     glyph           ; 24
        lda     (digits+8),y
        tax                     ; 31
        lda     (digits+6),y
        ldy     glyph           ; 39
        sta     temp            ; 42
        sta     GRP1            ; 45: each within the 2.6 cycles between
        stx     GRP0            ; 48  two glyphs
        sty     GRP1            ; 51
        sta     GRP0            ; 54
        dec     row             ; 59
        ldy     row             ; 62
        bmi     .scored         ; 64
        lda     (digits),y
        sta.w   GRP0            ; 73
        jmp     .score          ; 76
        if >.score != >.
        echo "Kernel: the score's loop must not cross a page"
        err
        endif

.scored ldx     #0
        sta     WSYNC           ; 12
        stx     VDELP0
        stx     VDELP1
        stx     GRP1
        stx     GRP0
        stx     GRP1
        lda     Positions+23    ; player 0: the first joint
        sta     HMP0
        and     #$0F
        tay
        sta     WSYNC           ; 13
        ldx     #2              ; 2
.first  dex
        bpl     .first          ; 16
.second dey
        bpl     .second         ; 20 + 5Y
        sta     RESP0           ; 23 + 5Y
        ldx     batX            ; player 1: the bat, which is drawn a pixel late
        dex
        lda     Positions,x
        sta     WSYNC           ; 14
        sta     HMP0+1          ; 3
        and     #$0F            ; 5
        tay                     ; 7
        sta     temp            ; 10
        sta     temp            ; 13
        sta     temp            ; 16
.third  dey
        bpl     .third          ; 20 + 5Y
        sta     RESP0+1         ; 23 + 5Y
        sta     WSYNC           ; 15
        sta     HMOVE
        if >.first != >.
        echo "Kernel: the placing loops must not cross a page"
        err
        endif
        lda     #0
        sta     COLUPF          ; black, so the top wall can be written early
        lda     #REFLECT
        sta     CTRLPF
        sta     VDELBL
        sta     VDELP1          ; nothing written to GRP1 shows before the bat
        lda     railColour
        sta     COLUP0
        sta     COLUP1
        sta     WSYNC           ; 16
        lda     #$FF
        sta     PF0
        sta     PF1
        sta     PF2
        ldx     #5              ; the top row; runs into line 17
.row    lda     wall,x
        sta     rowBytes,x
        dex
        bpl     .row
        ldx     #0
        ldy     #FIELD_LINES

.top    sta     WSYNC           ; field lines 0..5
        stx     GRP1
        lda     TopColours-[FIELD_LINES-TOP_WALL+1],y
        sta     COLUPF
        next_ball
        dey
        cpy     #FIELD_LINES - TOP_WALL
        bne     .top

        sta     WSYNC           ; 6: from wall to open field
        stx     GRP1            ; 3
        lda     #RAILS
        sta     PF0             ; 8
        lda     #REFLECT_SCORE
        sta     CTRLPF          ; 13
        stx     PF1             ; 16
        stx     PF2             ; 19
        lda     #BALL_COLOUR
        sta     COLUPF          ; 24
        next_ball
        read_paddle
        dey

.open   sta     WSYNC           ; 7..23
        stx     GRP1
        next_ball
        read_paddle
        dey
        cpy     #FIELD_LINES - WALL_TOP + 2
        bne     .open

        sta     WSYNC           ; 24: from open field to bricks
        stx     GRP1            ; 3
        row_colour              ; 11
        lda     #REFLECT
        sta     CTRLPF          ; 16, before 22
        stx     COLUP0
        stx     COLUP1
        lda     #%10000000      ; the joints
        sta     GRP0
        lda     #2
        sta     ENAM0
        sta     ENAM1
        next_ball
        read_paddle
        dey
                                ; 25, then eight rows with mortar under each

.mortar sta     WSYNC           ; second line of mortar
        stx     GRP1            ; 3
        next_ball               ; 12
        lda     wall+2,x
        sta     rowBytes+2      ; 19
        lda     wall+3,x
        sta     rowBytes+3      ; 26
        lda     wall+4,x
        sta     rowBytes+4      ; 33
        lda     wall+5,x
        sta     rowBytes+5      ; 40
        read_paddle             ; 48
        lda     #PLAIN          ; bricks are not mirrored: from the next line,
        sta     CTRLPF          ; 53  as this is past its middle
        txa
        clc
        adc     #6
        sta     row             ; 62
        ldx     #ROW_LIT        ; 64
        dey                     ; 66
        cpy     #FIELD_LINES - WALL_END
        beq     .walled         ; 70

.brick  sta     WSYNC           ; six lines of bricks
        stx     GRP1            ; 3
        row_colour              ; 11
        lda     rowBytes
        sta     PF0             ; 17, before 22
        lda     rowBytes+1
        sta     PF1             ; 23, before 28
        lda     rowBytes+2
        sta     PF2             ; 29, before 38
        lda     rowBytes+3
        sta     PF0             ; 35, 28 to 49
        lda     rowBytes+4
        sta     PF1             ; 41, 39 to 54
        next_ball               ; 50
        lda     rowBytes+5
        sta     PF2             ; 56, 50 to 65
        read_paddle             ; 64
        dey                     ; 66
        dex                     ; 68
        bne     .brick          ; 71
        if >.brick != >.
        echo "Kernel: the bricks' loop must not cross a page"
        err
        endif

        sta     WSYNC           ; first line of mortar: rails only
        stx     GRP1            ; 3
        row_colour              ; 11
        lda     #RAILS
        sta     PF0             ; 16, before 22
        lda     #REFLECT
        sta     CTRLPF          ; 21
        stx     PF1             ; 24, before 28
        stx     PF2             ; 27, before 38
        next_ball               ; 36
        ldx     row             ; fetch the next row
        lda     wall,x
        sta     rowBytes        ; 46
        lda     wall+1,x
        sta     rowBytes+1      ; 53
        read_paddle             ; 61
        dey                     ; 63
        jmp     .mortar         ; 66

.walled ldx     #0
        sta     WSYNC           ; 90: from bricks to open field
        stx     GRP1            ; 3
        lda     #REFLECT_SCORE
        sta     CTRLPF          ; 8
        lda     railColour
        sta     COLUP0          ; 14, before 22
        lda     #BALL_COLOUR
        sta     COLUPF          ; 19, before 24
        stx     GRP0            ; 22
        stx     VDELP1
        stx     ENAM0           ; 28
        stx     ENAM1           ; 31
        lda     railColour
        sta     COLUP1          ; 37
        next_ball
        read_paddle
        lda     #%101           ; the bat is of double width
        sta     NUSIZ1
        dey

.lower  sta     WSYNC           ; 91..161
        stx     GRP1
        next_ball
        read_paddle
        dey
        cpy     #FIELD_LINES - BAT_LINE
        bne     .lower

        ldx     batShape
.bat    sta     WSYNC           ; 162..165
        stx     GRP1
        lda     BatColours-[FIELD_LINES-BAT_LINE-3],y
        sta     COLUP1
        sta     COLUP0
        next_ball
        read_paddle
        dey
        cpy     #FIELD_LINES - BAT_LINE - 4
        bne     .bat

        ldx     #0
        sta     WSYNC           ; 166
        stx     GRP1
        lda     railColour
        sta     COLUP0
        sta     COLUP1
        next_ball
        read_paddle
        dey
.pit    sta     WSYNC           ; 167..173
        stx     GRP1
        next_ball
        read_paddle
        dey
        bne     .pit

        sta     WSYNC           ; below the field: 0
        stx     PF0
        stx     ENABL
        stx     VDELBL
        stx     CTRLPF
        lda     #LIVES_COLOUR
        sta     COLUPF
        ldy     lives
        sta     WSYNC           ; 1
        lda     #5
        sta     row
.lives  sta     WSYNC           ; 2..6
        lda     LivesPF1,y
        sta     PF1             ; 7
        lda     LivesPF2,y
        sta     PF2             ; 14
        lda     temp            ; 17
        ldx     #5
.wait   dex
        bne     .wait           ; 43
        stx     PF1             ; 46, 39 to 54
        stx     PF2             ; 49, 41 to 65
        dec     row
        bne     .lives
        sta     WSYNC           ; 7
        sta     WSYNC           ; end of picture
        lda     #%00000010      ; off; the paddle goes on charging
        sta     VBLANK
        rts
